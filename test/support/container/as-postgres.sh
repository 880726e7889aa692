#!/bin/sh
# Starts PostgreSQL as its image does: at the first start it makes the database of POSTGRES_DB, for POSTGRES_USER.
set -e
data=/var/lib/postgresql/data
programs=/usr/lib/postgresql/17/bin
as='setpriv --reuid postgres --regid postgres --clear-groups'
mkdir -p /var/run/postgresql
chown postgres /var/run/postgresql "$data"
chmod 0700 "$data"
if [ ! -s "$data/PG_VERSION" ]; then
  $as "$programs/initdb" --pgdata "$data" --username "$POSTGRES_USER" --pwfile "$POSTGRES_PASSWORD_FILE" \
    --auth-host scram-sha-256 --auth-local trust
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | $as "$programs/postgres" --single -D "$data" postgres
fi
exec $as "$programs/postgres" -D "$data" -c 'listen_addresses=*'
