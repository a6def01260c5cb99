#!/bin/sh
# Sets up a table in a new directory (a bare repository with the referee's hook, four clones) and
# plays three rounds there by pushes, or as many as you say: examples/git/play.sh DIR [ROUNDS]. Needs
# git and sanjuan-ref.
set -eu
mkdir "${1:?name a new directory}"
cd "$1"
here=$(pwd)
rounds=${2:-3}
players="ana ben carl dora"

# What each of the five has on a machine of their own, here in one directory.
export HOME="$here/home" XDG_STATE_HOME="$here/state"
mkdir "$HOME"
git config --global user.name "A player"
git config --global user.email "player@example.org"
git config --global init.defaultBranch main
for name in referee $players; do
    sanjuan-ref key --make "$name.key" >/dev/null
done

# Dora's machine, or a server: opens the table, and referees in the hook of a bare repository.
export SANJUAN_REFEREE_KEY="$here/referee.key"
mkdir host
sanjuan-ref new host/game.toml --title "By git" --option round_limit="$rounds" \
    --seat ana --seat ben --seat carl --seat dora >/dev/null
git init --quiet --bare table.git
sanjuan-ref git init host --hook table.git
git -C host remote add origin "$here/table.git"
git -C host push --quiet --set-upstream origin main

# Each player clones, and takes a seat.
for name in $players; do
    git clone --quiet table.git "$name"
    (
        cd "$name"
        sanjuan-ref git setup >/dev/null
        sanjuan-ref join game.toml --seat "$name" --key "$here/$name.key" --push
    )
done

# A turn: whoever is asked plays the first of the answers that `show` lists in full, or else the
# first of those that leave cards of the hand open, with the first cards of the hand.
first='
import json, sys
found = json.load(sys.stdin)
choices = sorted(found.get("choices", []), key=lambda one: not one["exact"])
hand = iter(card["letter"] for card in found.get("hand", []))
words = choices[0]["play"].split() if choices else []
print(*(next(hand) if word == "LETTER" else word for word in words))
'
status=playing
while [ "$status" = playing ]; do
    for name in $players; do
        (
            cd "$name"
            git pull --quiet --rebase
            play=$(sanjuan-ref show game.toml --key "$here/$name.key" --json | python3 -c "$first")
            [ -z "$play" ] ||
                sanjuan-ref move game.toml --play "$play" --key "$here/$name.key" --push
        )
    done
    status=$(git -C table.git show main:game.toml | sed -n 's/^status = "\(.*\)"$/\1/p')
done

git -C host pull --quiet
git -C host log --reverse --format='%s' | grep '^[0-9]'
sanjuan-ref git verify host
sanjuan-ref audit host/game.toml
