/**
 * Decisions of this service where the specification is silent: one named constant each, with its reason. A decision about the
 * shape of a request or an answer is in lib/contract instead, and one that is a rule is a function of server/domain.
 */
import { defaultLimits } from '../lib/pdf/guard/limits.ts'
import type { EndpointPolicy } from './domain/delivery/endpoint.ts'

/** Tasks per page of a list when the sender does not say; the contract allows 1 to 500. spec: Endpoints › Tasks */
export const DEFAULT_PAGE_SIZE = 100

/** Tasks of a list without pages, for a host whose profile has none: more than any trial has. choice: Lists without pages */
export const MOST_LISTED = 100_000

/** Documents that an inbox shows at once, the oldest: the others move up as these are signed. choice: Bounded inboxes */
export const WAITING_SHOWN = 500

/** Documents of a history that one call of a search looks at: each has to be opened, which takes a tenth of a millisecond. */
export const SEARCHED_AT_ONCE = 1_000

/** Decoded size of an attachment; in Base64 its body has 34 MB. spec: Limits */
export const MAX_ATTACHMENT_BYTES = defaultLimits.maxBytes

/** A body without a document: four times the largest that the contract can need. */
export const MAX_SMALL_BODY_BYTES = 64 * 1024

/** A create body may be larger than its Base64 by this factor: patient, annotations, and line breaks inside the Base64. */
export const CREATE_BODY_ROOM = 1.06

/**
 * Milliseconds to wait after each failed attempt of a delivery: 12 attempts in 75.7 hours, three of them in the first
 * minute, to outlive both a restart and a weekend of the receiver. Each is spread by a fifth (lib/back-off.ts), so that a
 * receiver that comes back does not meet all deliveries at once. spec: Events › Delivery behavior
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
]

/** Limit of one delivery attempt, body included. A receiver should acknowledge first and work later. */
export const DELIVERY_TIMEOUT_MS = 15_000
/** The task that a test event names: no task has this id, the largest one. choice: Test events */
export const TEST_EVENT_TASK = 2_147_483_647

/** How long the answer to a resend by hand waits for the receiver's answer. */
export const RESEND_ANSWER_MS = DELIVERY_TIMEOUT_MS + 2_000

/** The longest Retry-After of a receiver that is honoured. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** Limit for the connection to a receiver to be made. */
export const CONNECT_TIMEOUT_MS = 5_000

/** How long a delivery waits for its turn to have a name looked up: less than its lease. It uses up no attempt. */
export const LOOKUP_PATIENCE_MS = 10_000

/**
 * How much of the answer to a delivery is read. Its content decides nothing and is not kept; a longer one is cut off, and
 * its status counts.
 */
export const MAX_ANSWER_BYTES = 16 * 1024

/** The answer of a timestamp authority: most take less than 8 kB, with all of its certificates. */
export const MAX_TIMESTAMP_BYTES = 64 * 1024

/** How long a device or a key management service may take for a signature, in ms. */
export const EXTERNAL_KEY_TIMEOUT_MS = 10_000

/**
 * How each receiver is protected from us, and the others from it: six calls at once, fewer when it is overloaded. When 70 % of
 * at least ten attempts in five minutes have failed, its events queue up without using attempts, and a probe finds out when
 * it is back.
 */
export const ENDPOINT_POLICY: EndpointPolicy = {
  slots: 6,
  windowMs: 300_000,
  breakerAttempts: 10,
  breakerShare: 0.7,
  openMs: 30_000,
  maxOpenMs: 300_000,
  pauseMs: 2_000,
  maxPauseMs: 60_000,
}

/** Deliveries under way at once, and how many of them may be retries: the rest is kept for events that were never tried. */
export const DELIVERY_SLOTS = 96
export const RETRY_SLOTS = 72

/** A delivery that has waited longer is given up: receivers remember for seven days the events that they had. */
export const DELIVERY_LIFE_MS = 7 * 24 * 60 * 60 * 1000

/** Deliveries that one call sends again at most; the next call continues where it ended. */
export const REDELIVERIES_AT_ONCE = 10_000

/** The log of attempts is kept for this long and up to this many rows, whichever is less. */
export const ATTEMPT_LOG_AGE_MS = 90 * 24 * 60 * 60 * 1000
export const ATTEMPT_LOG_ROWS = 500_000

/** How long a worker owns what it claimed. A process that was killed gives its work back after this time. */
export const INGEST_LEASE_MS = 15_000
export const DELIVERY_LEASE_MS = 2 * DELIVERY_TIMEOUT_MS

/**
 * How long a stop waits, in milliseconds: for requests and callbacks under way, before they are cut off, and for idle
 * connections, before they are closed. Longer than a callback may take, and than a proxy keeps an idle connection: so nothing
 * is cut off that would end, and no request arrives on a connection that was just closed.
 */
export const STOP_PATIENCE = {
  /** Milliseconds for requests and deliveries under way. */
  workMs: DELIVERY_TIMEOUT_MS + 5_000,
  /** Milliseconds for idle connections. */
  idleMs: 5_000,
}

/** The same where someone waits for the end, as at a terminal, or for an embedded service. */
export const SHORT_STOP_PATIENCE: typeof STOP_PATIENCE = { workMs: 5_000, idleMs: 0 }

/** How many characters of `x-api-key` are looked at; anything longer cannot be a key. */
export const MAX_KEY_LENGTH = 200

/** A secret of a subscription: 256 random bits. The HMAC key is these bytes, decoded from the Base64 text. spec: Limits */
export const WEBHOOK_SECRET_BYTES = 32

/** Subscriptions of one organization: each adds a delivery to every event. */
export const MAX_SUBSCRIPTIONS = 50

/** The first ids, far apart so that no one takes a task id for an inbox request id. */
export const FIRST_TASK_ID = 1001
export const FIRST_DOCUMENT_ID = 700_001

/** A page that is left alone is signed out after the first, and every page after the second, the length of a working day. */
export const SESSION_IDLE_MS = 30 * 60 * 1000
export const SESSION_LIFE_MS = 12 * 60 * 60 * 1000

/**
 * Streams of changes that a process holds open at once: in all, of one signer or one organization (`group`), and of one session or
 * key (`each`). A browser opens six connections to a host; a person has a few browsers. choice: Open inboxes
 */
export const INBOX_STREAMS = { total: 2_000, group: 24, each: 6 }
/** Fewer than of inboxes: those who look after the service are few, and each open page asks for its lists at every change. */
export const CONSOLE_STREAMS = { total: 500, group: 60, each: 6 }

/**
 * How long a stream lasts; its page then connects again, and so do clients of server-sent events. Places of connections that
 * vanished without a word are free after this time, whatever the network says.
 */
export const STREAM_LIFE_MS = 10 * 60 * 1000

/** Bytes that wait for a listener who does not read, beyond what the system has taken; with more, its connection is closed. */
export const MAX_UNREAD_STREAM_BYTES = 64 * 1024

/**
 * Requests that are worked on at once, of one organization or one signer (`group`), and of one key or one person (`each`); and how
 * many more may wait for their turn. One caller never needs more at once, because the store does one thing after the other; and what
 * waits costs a connection and a small body. choice: Turns
 */
export const TURNS = {
  atOnce: { group: 32, each: 16 },
  waiting: { total: 4_000, group: 1_000, each: 500 },
}

/**
 * Requests that read or change many rows, of which a few at once are enough: in all, and of one key or person. One export or check of a
 * person at a time; a person may send a few deliveries again while the answers of receivers are awaited.
 */
export const EXPORTS = { total: 4, each: 1 }
export const VERIFICATIONS_OF_THE_LOG = { total: 1, each: 1 }
export const REDELIVERIES = { total: 16, each: 4 }

/** Passwords that are checked at once, and how many more may wait: the last of them some seconds. choice: Failed sign-ins */
export const PASSWORDS = { atOnce: 2, waiting: 100 }

/** A connection on which not a byte is sent or read for this long is closed: no answer takes that long to begin. */
export const SILENT_CONNECTION_MS = 2 * 60 * 1000

/**
 * Connections that are open at once: in all, and of one network, so that one address cannot hold all of them. Those of trusted proxies
 * count in all alone. Each costs about 20 kB.
 */
export const CONNECTIONS = { total: 10_000, each: 4_000 }
/**
 * Look-ups of keys, and of sessions, that this process has not found before: strangers may make up as many as they like. A few at once, so
 * that the statements of known callers wait for a few at most; as many wait in line as there may be connections. What was found is
 * remembered by its id alone, and looked up again each time.
 */
export const STRANGERS = { atOnce: 4, waiting: { total: CONNECTIONS.total, each: CONNECTIONS.each }, known: 10_000 }
/** Connections that Prometheus may open at once. */
export const METRICS_CONNECTIONS = 50

/**
 * E-mail notices: how long a code is valid that confirms an address, after which time another one may be asked for, and how long a
 * process owns an e-mail that it sends. choice: E-mail notices
 */
export const NOTICE_CODE_MS = 30 * 60 * 1000
export const NOTICE_CODE_EVERY_MS = 2 * 60 * 1000
export const NOTICE_LEASE_MS = 2 * 60 * 1000

/**
 * Failed sign-ins that are allowed in a window: to one account from one network, or from one device where its owner signed in
 * before; and from one network to any account. choice: Failed sign-ins
 */
export const SIGN_IN_WINDOW_MS = 15 * 60 * 1000
export const SIGN_INS_PER_ACCOUNT = 8
export const SIGN_INS_PER_ADDRESS = 30

/** Failed sign-ins to one account from all unknown devices together, before each makes the next one wait longer. */
export const SIGN_INS_FROM_ANYWHERE = 40
export const LONGEST_SIGN_IN_DELAY_MS = 60 * 1000

/**
 * Wrong codes of a second factor that are allowed before each makes the next one wait longer, up to the longest time, and how
 * long they are remembered: so that, of a million codes of which three are right, few are ever tried. choice: Second factor
 */
export const CODE_TRIES = 8
export const LONGEST_CODE_DELAY_MS = 60 * 60 * 1000
export const CODE_TRIES_KEPT_MS = 24 * 60 * 60 * 1000

/** How long a code, or a new second factor, may take to come after the right password. */
export const SIGN_IN_STEP_MS = 10 * 60 * 1000

/** How many recovery codes come with a second factor. Each can be used once. */
export const RECOVERY_CODES = 10

/** How long a device is known after a sign-in. */
export const DEVICE_LIFE_MS = 90 * 24 * 60 * 60 * 1000

/**
 * How long someone has at the provider of single sign-on, and how many sign-ins of one network may be begun and not finished
 * in the window above. More than of failed ones, because a whole clinic may begin its day behind one address.
 */
export const SIGN_ON_LIFE_MS = 10 * 60 * 1000
export const SIGN_ONS_PER_ADDRESS = 200

/** Limit of each call to the provider, of which a sign-in needs four at most; and how long is believed what it said it can do. */
export const PROVIDER_TIMEOUT_MS = 5_000
export const PROVIDER_METADATA_LIFE_MS = 60 * 60 * 1000
/** Seconds by which the clock of a provider may be ahead of ours when it dates an ID token. */
export const ID_TOKEN_TOLERANCE_S = 60

/** Documents that one network may have verified in a window; verification needs no account. */
export const VERIFY_WINDOW_MS = 60 * 1000
export const VERIFICATIONS_PER_ADDRESS = 30

/** Of the requests that a key may make in a minute, an instance takes this share from the store at once. choice: Rate limit */
export const RATE_SLICE_SHARE = 1 / 30

/** Days for which the console shows how many requests a key made; older counts are dropped. choice: Requests of keys */
export const KEY_USE_DAYS = 14

/** How often an instance says that it lives, when it counts as silent, and when it is forgotten. choice: Instances */
export const HEARTBEAT_MS = 10_000
export const INSTANCE_SILENT_MS = 30_000
export const INSTANCE_LIFE_MS = 10 * 60 * 1000

/** Documents being verified or waiting for it: in all, and of one network. More are refused for now. */
export const VERIFICATION_PLACES = { total: 5, each: 2 }

/** Previews of ink being drawn or waiting for it: in all, and of one signer. More are refused for now. choice: Preview of the ink */
export const PREVIEW_PLACES = { total: 16, each: 2 }

/**
 * Pages being drawn for screens or waiting for it: in all, of one signer (`group`), and of one session (`each`). More are refused for
 * now. choice: Pictures of pages
 */
export const PICTURE_PLACES = { total: 64, group: 12, each: 6 }

/**
 * Widths of the pictures of pages, in pixels; a page asks for the smallest that is sharp on its screen. Few, so that those who look at
 * the same document share one drawing.
 */
export const PICTURE_WIDTHS = [480, 640, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000] as const

/** A verification takes a moment; but its thread has the lowest priority, so on a busy machine it may take longer. */
export const VERIFY_TIMEOUT_MS = 10_000

/** MiB for creates, a setting: seven documents of the largest size. One key may have half of it. choice: Room for bodies */
export const BODY_MEMORY_MIB = 256

/**
 * Bytes of bodies in memory at once, in all and of one sender; what has no room is 503 with Retry-After. Each kind has room
 * of its own, so that no sender can keep signers out, and no one without an account those who have one.
 */
export const BODY_ROOMS = {
  /** All else that a key or a session sends. */
  calls: { total: 64 * 1024 * 1024, each: 16 * 1024 * 1024 },
  /** Sign-ins, by network. */
  signIns: { total: 16 * 1024 * 1024, each: 1024 * 1024 },
  /** Documents to be verified, by network. */
  verification: { total: 2 * MAX_ATTACHMENT_BYTES, each: MAX_ATTACHMENT_BYTES },
  /** Documents that are being sent to those who read them. */
  answers: { total: 256 * 1024 * 1024, each: 128 * 1024 * 1024 },
}

/** Documents to be verified are read at 50 MB a second at most, so that large ones in a row hold up no one else. */
export const VERIFICATION_PACE = { bytes: 1024 * 1024, restMs: 20 }

/** Retry-After of a request that found no room; a few documents are done in that time. */
export const BUSY_RETRY_MS = 5_000

/** The store retries for this long; then the call is refused, with the second time as its Retry-After. */
export const STORE_PATIENCE_MS = 3_000
export const STORE_RETRY_AFTER_MS = 2_000

/** How long the health check waits for the store, and for the object storage; what takes longer is 503. choice: Health */
export const HEALTH_LIMIT_MS = 5_000

/**
 * A process is not ready while requests wait longer: for the store, or for their turn at the event loop. A caller that waits this long
 * is better served by another instance; a burst of large documents takes less.
 */
export const READY_LIMITS_MS = { store: 2_000, eventLoop: 500 }

/**
 * How long a request to the object storage of the documents may take: without a byte, and in all. choice: Documents in object storage
 */
export const BUCKET_LIMITS_MS = { idle: 10_000, total: 60_000 }

/** An object that no document names after this time is removed; a request that puts one ends long before. */
export const UNNAMED_OBJECT_LIFE_MS = 6 * 60 * 60 * 1000

/** An object that is no longer needed is removed after this delay, so that reads under way can end. */
export const OBJECT_REMOVAL_DELAY_MS = 60 * 1000
/** A removal that failed is tried again after this time. */
export const OBJECT_REMOVAL_LEASE_MS = 10 * 60 * 1000

/** Connections of one instance to PostgreSQL, besides the one that listens. */
export const STORE_CONNECTIONS = 10

/**
 * How long PostgreSQL may take: for a statement, a lock, a transaction that asks for nothing, and a new connection. Longer than
 * any of them needs, so that one that hangs is given up before callers are.
 */
export const STORE_LIMITS_MS = { statement: 30_000, lock: 10_000, idleInTransaction: 30_000, connect: 5_000 }

/** A body has this long to arrive, and more by its size: a slower one would keep its room from others. */
export const BODY_GRACE_MS = 10_000
export const MIN_BODY_BYTES_PER_SECOND = 256 * 1024

/** Long enough that guessing is hopeless at the rate above. The upper end bounds the work of one hash. */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 200

/** On a scale from 0 to 4 of how hard a password is to guess: 4 takes more than 10^10 guesses. */
export const MIN_PASSWORD_SCORE = 4

/** A document that has waited longer is shown to its signer as overdue. */
export const OVERDUE_AFTER_MS = 7 * 24 * 60 * 60 * 1000

/** Covers the texts of the fields, and a drawn signature of up to 2 MiB as Base64. */
export const MAX_SIGNING_BODY_BYTES = 4 * 1024 * 1024

/** The PDF that is kept with a template; its pages are there to place fields on. choice: Samples of templates */
export const MAX_SAMPLE_BYTES = 8 * 1024 * 1024
