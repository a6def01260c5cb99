"""The moment of a position: round, turn and phase, and what has happened in the phase so far."""

from __future__ import annotations

from referee.games.fields import Document
from referee.games.sanjuan import flow, prospector, roles
from referee.games.sanjuan.builder import LAST_BUILDING
from referee.games.sanjuan.cards import Cards
from referee.games.sanjuan.state import (
    BUILDER,
    CHOICE,
    DRAFTING,
    EVENT_PHASE,
    FREE_BUILD,
    KIND_NAMES,
    KINDS_OF,
    MINE,
    ONE_BY_ONE,
    OVER,
    PHASES,
    ROLES,
    ROUND_START,
    TRADER,
    State,
)


class Moment(Document):
    """A reader of the moment of a position, into a state whose cards are laid."""

    state: State
    cards: Cards
    variants: tuple[str, ...]
    begin: bool

    def _phase(self) -> None:
        document, st = self.table, self.state
        phase = document.get("phase", "role")
        known = PHASES if self.cards.events() else PHASES[:EVENT_PHASE]
        if "draft-start" not in self.variants:
            known = tuple(name for name in known if name != "draft")
        if phase not in known:
            self.unknown("phase", phase, known)
            phase = PHASES[CHOICE]
        st.phase = PHASES.index(phase)

    def _seat(self, name: object, key: str) -> int:
        if isinstance(name, str) and name in self.state.seats:
            return self.state.seats.index(name)
        self.unknown("seat", name, self.state.seats, key)
        return 0

    def _moment(self) -> None:
        document, st = self.table, self.state
        count = len(st.seats)
        st.round = self.number("round", 1, 10_000, 1)
        if st.round > st.limit:
            self.fault("the round is beyond round_limit")
        st.governor = (st.round - 1) % count
        if "governor" in document:
            st.governor = self._seat(document["governor"], "governor")
        for role in self.texts("used", ()):
            if role not in ROLES:
                self.unknown("role", role, ROLES)
            else:
                st.roles_used |= 1 << ROLES.index(role)
        if st.phase in range(len(ROLES)):
            st.roles_used |= 1 << st.phase
        self._turn(3 if count == 2 else count)
        st.chooser = (st.governor + max(st.turn, 1) - 1) % count
        if "chooser" in document and self._seat(document["chooser"], "chooser") != st.chooser:
            self.fault(f"it is the turn of {st.seats[st.chooser]} by governor and turn")
        st.actor = st.chooser
        self._library()
        self._begun()
        for seat, name in enumerate(st.seats):
            count = st.buildings(seat)
            building = st.phase == BUILDER or FREE_BUILD in KINDS_OF[st.phase]
            done = st.phase == OVER or (building and not self.begin)
            if count > LAST_BUILDING or (count == LAST_BUILDING and not done):
                self.fault(f"{name} has {count} buildings: the game has ended")

    def _turn(self, turns: int) -> None:
        document, st = self.table, self.state
        taken = st.roles_used.bit_count()
        if st.phase in (ROUND_START, DRAFTING):
            st.turn = 0
            if (st.round == 1) != (st.phase == DRAFTING):
                self.fault("the first round has no round start, and no other one a draft")
            if taken:
                self.fault("no role is used at the start of a round")
            if "turn" in document and document["turn"] != 0:
                self.fault("turn is 0 at the start of a round")
            return
        # A turn in which an event was taken leaves no role behind.
        turn = taken + (st.phase == CHOICE or st.phase >= EVENT_PHASE)
        most = turn + len([card for card in st.removed if card in self.cards.events()])
        st.turn = self.number("turn", 1, 10_000, max(turn, 1))
        if st.turn > turns:
            self.fault(f"there are {turns} turns in a round")
        elif not turn <= st.turn <= most and st.phase != OVER:
            self.fault(f"it cannot be turn {st.turn} with {taken} roles taken")

    def _library(self) -> None:
        document, st = self.table, self.state
        for name in self.texts("library-used", ()):
            st.library_used |= 1 << self._seat(name, "library-used")
        running = st.phase < len(ROLES)
        has = bool(st.own_mask[st.chooser] & roles.LIBRARY)
        value = self.flag("library", running and has and not st.library_used >> st.chooser & 1)
        if value and not running:
            self.fault("no library is in use while no role is carried out")
        elif value and not has and "waiting" not in document:
            self.fault(f"{st.seats[st.chooser]} has no library to use")
        st.library = value
        if st.library:
            st.library_used |= 1 << st.chooser

    def _begun(self) -> None:
        document, st = self.table, self.state
        if "waiting" not in document:
            if any(st.drawn):
                self.fault("drawn is for a phase that has begun, with waiting")
            if st.turned or "asking" in document:
                self.fault("turned and asking are for a phase that has begun, with waiting")
            return
        self.begin = False
        st.kind = self._asking()
        seats = [self._seat(name, "waiting") for name in self.texts("waiting", ())]
        order = [seat for seat in flow.clockwise(st) if seat in seats]
        if st.kind < 0 or not seats or order != seats:
            self.fault("waiting must name seats in clockwise order, in a phase that asks them")
            return
        st.serial = self.flag("one-by-one", st.kind in ONE_BY_ONE)
        if st.serial and len(seats) > 1:
            self.fault("one seat waits where it goes one by one")
            return
        st.actor = seats[0]
        st.asked = sum(1 << seat for seat in seats)
        st.sold = self.flag("sold", False)
        if st.phase == TRADER:
            # The tile of the running phase is turned already: it is the last one of the list.
            st.tile = len(st.tiles)

    def _asking(self) -> int:
        """Return the kind of decision that a phase that has begun asks for; -1 for none."""
        st = self.state
        kinds = [KIND_NAMES[kind] for kind in KINDS_OF[st.phase]]
        if self.cards.edition not in prospector.CHOSEN:
            kinds = [name for name in kinds if name != KIND_NAMES[MINE]]
        asking = self.table.get("asking", kinds[0] if kinds else "")
        if asking and asking not in kinds:
            self.fault(f"{asking!r} is not asked in the phase {PHASES[st.phase]}")
        kind = KIND_NAMES.index(asking) if asking in kinds else -1
        if (kind == MINE) != bool(st.turned):
            self.fault("cards lie turned over exactly while somebody takes one of them")
        return kind
