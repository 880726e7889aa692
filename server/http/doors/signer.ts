/** The door of the inbox, for a signer who is signed in, and of /verify, for anyone. */
import type { RequestHandler } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { shareById } from '../../../lib/share-by-id.ts'
import { PICTURE_PLACES, PREVIEW_PLACES, VERIFICATION_PLACES } from '../../choices.ts'
import { networkOf } from '../../domain/network.ts'
import type { UnsignedPdf } from '../../domain/unsigned-pdf.ts'
import { plainWords } from '../../operations/signer/plain-words.ts'
import type { SignerContext } from '../../operations/signer/signer-context.ts'
import type { Entrance } from '../../people/entrance.ts'
import { digestOf } from '../../people/session-digest.ts'
import type { InkPreviews } from '../../signing/ink-previews.ts'
import type { ShownPages } from '../../signing/shown-pages.ts'
import type { Signing } from '../../signing/sign.ts'
import type { Store } from '../../store/store.ts'
import type { InboxFeed } from '../../workers/inbox-feed.ts'
import { createPlaces, createRoom } from '../bodies/room.ts'
import { actorOf } from '../callers/actor.ts'
import { sessionIdOf } from '../callers/visit.ts'
import type { StreamPlaces } from '../stream-places.ts'
import type { Door } from '../table-routes.ts'
import { admitVisitors, withServiceTime } from './session.ts'

export interface SignerDoorParts {
  store: Pick<Store, 'delegations' | 'draftSecret' | 'forSigner' | 'notices'>
  signing: Signing
  previews: InkPreviews
  pages: ShownPages
  entrance: Entrance
  unsignedPdf: UnsignedPdf
  clock: Clock
  inboxFeed: InboxFeed
  inboxStreams: StreamPlaces
  /** Whether there is a mail server. */
  offersNotices: boolean
  newId(): string
  verification: Omit<SignerContext['verification'], 'takePlace'>
}

export function signerDoor(parts: SignerDoorParts): Door<SignerContext> {
  const { store, signing, previews, pages, entrance, unsignedPdf, clock, verification } = parts
  const previewPlaces = createRoom(PREVIEW_PLACES)
  const picturePlaces = createPlaces(PICTURE_PLACES)
  const readings = createReadings()
  const places = createRoom(VERIFICATION_PLACES)
  /** Its callers are pages: they speak to a person. */
  const speakToPage: RequestHandler = (_req, res, next) => {
    res.locals.wording = plainWords
    next()
  }
  const admit = admitVisitors(entrance)
  const mayStandIn = shareById((npi) => store.delegations.areGenuine(npi))
  const checkDelegations: RequestHandler = async (_req, res, next) => {
    const npi = res.locals.visitor?.npi
    res.locals.mayStandIn = !!npi && (await mayStandIn(npi))
    next()
  }
  return {
    admit: (row) => [speakToPage, withServiceTime(clock), ...admit(row), checkDelegations],
    contextOf: (req, res) => {
      const { visitor } = res.locals
      const { npi, personId = 0 } = visitor ?? {}
      const signerNpi = npi ?? ''
      const at = timeOf(clock)
      const by = actorOf(req, res)
      const session = digestOf(sessionIdOf(req) ?? '')
      const standingInAt = res.locals.mayStandIn ? at : undefined
      return {
        inbox: store.forSigner(signerNpi, by, standingInAt),
        scope: { signerNpi, standingInAt },
        by,
        signing,
        preview: { previews, takePlace: () => previewPlaces.take(signerNpi, 1) },
        pages: {
          shown: pages,
          takePlace: () => picturePlaces.take(signerNpi, session),
          isNoted: (document) => readings.has(`${session} ${document}`),
          note: (document) => readings.add(`${session} ${document}`),
        },
        unsignedPdf,
        delegations: store.delegations,
        draftSecret: () => store.draftSecret(personId, at),
        at,
        notices: { ...store.notices, isOffered: parts.offersNotices, newKey: parts.newId },
        follow: () =>
          parts.inboxStreams.open({ group: `signer ${signerNpi}`, name: `session ${session}` }, (to) =>
            parts.inboxFeed.follow(to, { npi: signerNpi, session }),
          ),
        circumstances: {
          authentication: visitor?.means ?? null,
          address: req.ip ?? null,
          device: req.get('user-agent') ?? null,
        },
        verification: { ...verification, takePlace: () => places.take(networkOf(req.ip), 1) },
      }
    },
  }
}

/** A reading that was forgotten is noted once more, which does no harm. */
const MOST_READINGS = 10_000

/** Remembers which sessions have read which documents. */
function createReadings(): Pick<Set<string>, 'has'> & { add(reading: string): void } {
  const noted = new Set<string>()
  return {
    has: (reading) => noted.has(reading),
    add(reading) {
      noted.add(reading)
      const [oldest] = noted
      if (noted.size > MOST_READINGS && oldest !== undefined) noted.delete(oldest)
    },
  }
}
