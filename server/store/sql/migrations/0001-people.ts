/** The part of the first schema that is about people who sign in to the pages. */
import type { Flavour } from '../flavour.ts'

/** The row of a removed account stays, because the audit log names its id. */
export const people = ({ serial, blob }: Flavour): string[] => [
  `CREATE TABLE person (
    id ${serial},
    email text NOT NULL UNIQUE,
    name text NOT NULL,
    role text NOT NULL,
    npi text REFERENCES provider (npi),
    organization_id integer REFERENCES organization (id),
    password_hash text,
    has_second_factor integer NOT NULL DEFAULT 0,
    created_at text NOT NULL,
    disabled_at text,
    removed_at text,
    removed_email text,
    last_sign_in_at text,
    mac text NOT NULL
  )`,
  `CREATE TABLE identity (
    issuer text NOT NULL,
    subject text NOT NULL,
    person_id integer NOT NULL REFERENCES person (id),
    linked_at text NOT NULL,
    mac text NOT NULL,
    PRIMARY KEY (issuer, subject)
  )`,
  'CREATE UNIQUE INDEX identity_of_person ON identity (person_id, issuer)',
  `CREATE TABLE session (
    digest text PRIMARY KEY,
    person_id integer NOT NULL REFERENCES person (id),
    seen_at text NOT NULL,
    expires_at text NOT NULL,
    issuer text,
    means text NOT NULL,
    mac text NOT NULL
  )`,
  'CREATE INDEX session_of_person ON session (person_id)',
  'CREATE INDEX session_expiry ON session (expires_at)',
  `CREATE TABLE second_factor (
    person_id integer PRIMARY KEY REFERENCES person (id),
    sealed_secret ${blob} NOT NULL,
    last_step integer NOT NULL,
    since text NOT NULL,
    mac text NOT NULL
  )`,
  `CREATE TABLE second_factor_offer (
    person_id integer PRIMARY KEY REFERENCES person (id),
    holder text NOT NULL,
    sealed_secret ${blob} NOT NULL,
    expires_at text NOT NULL,
    mac text NOT NULL
  )`,
  `CREATE TABLE recovery_code (
    person_id integer NOT NULL REFERENCES person (id),
    digest text NOT NULL,
    PRIMARY KEY (person_id, digest)
  )`,
  `CREATE TABLE sign_in_step (
    digest text PRIMARY KEY,
    person_id integer NOT NULL REFERENCES person (id),
    missing text NOT NULL,
    expires_at text NOT NULL,
    mac text NOT NULL
  )`,
  'CREATE INDEX sign_in_step_of_person ON sign_in_step (person_id)',
  'CREATE INDEX sign_in_step_expiry ON sign_in_step (expires_at)',
  `CREATE TABLE sign_on_attempt (
    digest text PRIMARY KEY,
    return_to text NOT NULL,
    earlier_session text,
    ends_at text NOT NULL,
    mac text NOT NULL
  )`,
  'CREATE INDEX sign_on_attempt_end ON sign_on_attempt (ends_at)',
  `CREATE TABLE sign_in_tries (
    name text PRIMARY KEY,
    account text,
    count integer NOT NULL,
    first_at text NOT NULL,
    wait_until text,
    ends_at text NOT NULL
  )`,
  'CREATE INDEX sign_in_tries_of_account ON sign_in_tries (account)',
  'CREATE INDEX sign_in_tries_end ON sign_in_tries (ends_at)',
  `CREATE TABLE known_device (
    digest text NOT NULL,
    person_id integer NOT NULL REFERENCES person (id),
    expires_at text NOT NULL,
    PRIMARY KEY (digest, person_id)
  )`,
  'CREATE INDEX known_device_of_person ON known_device (person_id)',
  'CREATE INDEX known_device_expiry ON known_device (expires_at)',
]
