# Pigeonhole (Dovecot) runs programs of sieve_pipe_bin_dir only. In its configuration:
#   sieve_plugins = sieve_extprograms
#   sieve_extensions = +vnd.dovecot.pipe
#   sieve_pipe_bin_dir = /usr/lib/dovecot/sieve-pipe
# and in that directory an executable file `sanjuan-in`:
#   #!/bin/sh
#   exec /usr/local/bin/sanjuan-ref mail in --games "$HOME/games"
# What the program could not deal with stays in the inbox: redirect it, or run
# `mail in --maildir` over it.
require ["vnd.dovecot.pipe"];

if address :is ["to", "cc"] "table@example.org" {
    pipe "sanjuan-in";
    stop;
}
