/** The tables in which the queues of several Node-REDs are: those of the SQLite files, by queue and with the process that acts on a row. */

/** Numbers begin after the time, as in a new file: those of a database that was removed may still be on their way. */
export const QUEUE_SCHEMA = `
  BEGIN;
  SELECT pg_advisory_xact_lock(20260116);
  CREATE TABLE IF NOT EXISTS countersign_turn (name text PRIMARY KEY, run text NOT NULL);
  CREATE TABLE IF NOT EXISTS countersign_accepted (
    queue text NOT NULL, id bigint NOT NULL, digest text NOT NULL, at bigint NOT NULL, size integer NOT NULL, sealed bytea,
    tries integer NOT NULL DEFAULT 0, owner text NOT NULL, PRIMARY KEY (queue, id), UNIQUE (queue, digest));
  CREATE INDEX IF NOT EXISTS countersign_accepted_waiting ON countersign_accepted (queue, owner, id) WHERE sealed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS countersign_under_way (
    queue text NOT NULL, id text NOT NULL, deaths integer NOT NULL, stage integer NOT NULL, owner text NOT NULL, PRIMARY KEY (queue, id));
  CREATE TABLE IF NOT EXISTS countersign_held (
    queue text NOT NULL, id bigint NOT NULL, digest text NOT NULL, at bigint NOT NULL, size integer NOT NULL,
    resent_at bigint, resent_by text, summary text NOT NULL, message bytea NOT NULL, PRIMARY KEY (queue, id), UNIQUE (queue, digest));
  CREATE TABLE IF NOT EXISTS countersign_claim (
    queue text NOT NULL, id bigint NOT NULL, folder text NOT NULL, claim bytea NOT NULL, ending bytea, handled_by text,
    deaths integer NOT NULL DEFAULT 0, PRIMARY KEY (queue, id));
  DO $$ BEGIN
    IF to_regclass('countersign_number') IS NULL THEN
      CREATE SEQUENCE countersign_number;
      PERFORM setval('countersign_number', (extract(epoch from now()) * 1000)::bigint);
    END IF;
  END $$;
  COMMIT`
