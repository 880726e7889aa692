/**
 * Ingestion: from Received to Pending or Failed, or left in Processing for a person. Draws a document that is not plain, and rehearses
 * its signing. spec: States and transitions
 */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { giveBack } from '../../lib/memory.ts'
import { placedBefore } from '../../lib/pdf/placement/early-placement.ts'
import type { Field, Placed } from '../../lib/pdf/placement/placement.ts'
import { INGEST_LEASE_MS } from '../choices.ts'
import { SERVICE } from '../domain/audit.ts'
import { Refusal } from '../domain/refusal.ts'
import { StoreAway } from '../domain/store-refusals.ts'
import { failReasons } from '../domain/task/fail-reasons.ts'
import { matchPatient } from '../domain/task/matching.ts'
import { route } from '../domain/task/routing.ts'
import { rulesFor, type SignaturePlace, signaturePlace } from '../domain/task/signature-place.ts'
import { proceed, type TaskState, transition } from '../domain/task/task.ts'
import type { Rehearsed } from '../pdf/rehearse.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'
import type { StoredTemplate } from '../store/directory/templates.ts'
import type { Store } from '../store/store.ts'
import type { ClaimedTask } from '../store/tasks/claimed-task.ts'
import { createWorker, type Worker } from './worker.ts'

export interface IngestParts {
  store: Pick<Store, 'ingestion' | 'organizations' | 'providers' | 'tasks'>
  pdf: Pick<PdfPool, 'draw' | 'place' | 'rehearse' | 'tokens'>
  clock: Clock
  newId(): string
  /** How patients of an organization are matched. Optional; as in production by default. */
  matchFor?: (organizationId: number) => typeof matchPatient
  onFault(fault: unknown): void
  /** Called with the result of each task, and how many milliseconds that took. */
  onDone?: (outcome: IngestionOutcome | 'fault', ms: number) => void
}

/** The result of a task: `overtaken` when another process changed it first. */
export type IngestionOutcome = 'presented' | 'failed' | 'review' | 'overtaken'

/** As many documents as the PDF workers read at once by default. */
const SLOTS = 2
const LOOK_EVERY_MS = 2_000
/** A task that ends its process each time is given up after this many attempts, so that it does not come back for ever. */
const MAX_ATTEMPTS = 5

export function createIngestion(parts: IngestParts): Worker {
  const { store, clock } = parts
  /** The time that the last look found. */
  let next: Date | null = null
  const worker = createWorker<ClaimedTask>({
    clock,
    slots: SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    async claim(limit) {
      next = await store.ingestion.nextDue()
      const at = timeOf(clock)
      // Most looks find nothing, and need not wait for those who write.
      if (next === null || next > at) return []
      const leaseUntil = new Date(at.getTime() + INGEST_LEASE_MS)
      const begin = (state: TaskState) => proceed(state, 'begin', at)
      return store.ingestion.claim({ at, leaseUntil, limit }, begin, parts.onFault)
    },
    async run(task) {
      const began = performance.now()
      const release = holdLease(parts, task)
      const done = (outcome: IngestionOutcome | 'fault') => parts.onDone?.(outcome, performance.now() - began)
      try {
        done(await ingest(parts, task))
      } catch (fault) {
        done('fault')
        if (fault instanceof StoreAway) await store.ingestion.putOff(task.id)
        throw fault
      } finally {
        release()
      }
    },
    // Asked right after a look.
    nextDue: async () => next,
    onFault: parts.onFault,
  })
  return { ...worker, nextDue: () => store.ingestion.nextDue() }
}

/**
 * Prolongs the lease of a task while it is worked on: drawing a hundred pages takes longer than a lease, and a process that ended
 * gives its task back soon all the same. Returns what ends that.
 */
function holdLease({ store, clock, onFault }: IngestParts, { id, leaseUntil }: ClaimedTask): () => void {
  let from = leaseUntil
  let cancel = () => {}
  let isHeld = true
  const prolong = async () => {
    const to = new Date(clock.now() + INGEST_LEASE_MS)
    await store.ingestion.prolong(id, { from, to })
    from = to
    prolongLater()
  }
  const prolongLater = () => {
    if (isHeld) cancel = clock.after(INGEST_LEASE_MS / 3, () => void prolong().catch(onFault))
  }
  prolongLater()
  return () => {
    isHeld = false
    cancel()
  }
}

async function ingest(
  { store, pdf, clock, newId, matchFor = () => matchPatient }: IngestParts,
  task: ClaimedTask,
): Promise<IngestionOutcome> {
  const facts = () => ({ at: timeOf(clock), eventId: newId() })
  const fail = async (reason: string): Promise<'failed'> => {
    const failed = { ...facts(), reason }
    await store.tasks('all').change(task.id, SERVICE, (state) => transition(state, 'fail', failed))
    return 'failed'
  }
  try {
    if (task.attempts > MAX_ATTEMPTS) return await fail(failReasons.givenUp)
    const { performer, placedEarly } = task.request
    const [sender, provider] = await Promise.all([
      store.organizations.find(task.organizationId),
      store.providers.find(performer.signer.userNPI),
    ])
    if (!sender?.ingestionEnabled) return await fail(failReasons.ingestionOff)
    if (!provider?.isActive) return await fail(failReasons.unknownSigner)
    const active = provider.organizations.filter(({ isActive }) => isActive)
    const routed = route(performer.organization, active)
    if (!routed) return await fail(failReasons.noOrganization)

    const template = await store.ingestion.template(task)
    const drawn = await drawReceived({ store, pdf }, task, facts().at)
    if (!drawn.ok) return await fail(drawn.problem)
    const placed =
      placedBefore(placedEarly ?? null, pdf.tokens) ?? (await placeReceived({ store, pdf }, task, template))
    if (!placed.ok) return await fail(placed.problem)
    const { signatureRule, coversTokens } = rulesFor(sender, template)
    const fields = coversTokens ? placed.fields : placed.fields.map(({ covers: _, ...field }) => field)
    const place = signaturePlace(fields, signatureRule)
    if (!place) return await fail(failReasons.noSignatureField)
    const rehearsed = await rehearse({ store, pdf }, task, { fields, place, at: facts().at })
    if (!rehearsed.ok) return await fail(rehearsed.problem)

    const { at, eventId } = facts()
    return await store.ingestion.together(async (inside) => {
      const match = await inside.resolvePatient(task, matchFor(task.organizationId), at)
      if (match.outcome === 'review') {
        await inside.review(task.id, match, (state) => proceed(state, 'hold', at))
        return 'review'
      }
      await inside.present(
        task,
        {
          patientId: match.patientId,
          routedTo: routed.organizationId,
          routedBy: routed.by,
          fields,
          signatureRule,
        },
        (state, documentId) => transition(state, 'present', { at, eventId, documentId }),
        at,
      )
      return 'presented'
    })
  } catch (failure) {
    // Another person changed the task in the meantime, for example an operator who cancelled it.
    if (failure instanceof Refusal && failure.kind === 'conflict') return 'overtaken'
    throw failure
  }
}

/** Draws the document where that has not been done yet. */
async function drawReceived(
  { store, pdf }: Pick<IngestParts, 'store' | 'pdf'>,
  { id }: ClaimedTask,
  at: Date,
): Promise<{ ok: true } | { ok: false; problem: string }> {
  const original = await store.ingestion.pdfToDraw(id)
  if (!original) return { ok: true }
  const drawn = await pdf.draw(original)
  giveBack(original)
  if (!drawn.ok) return drawn
  await store.ingestion.keepDrawn(id, drawn, at)
  giveBack(drawn.pdf)
  return { ok: true }
}

async function placeReceived(
  { store, pdf }: Pick<IngestParts, 'store' | 'pdf'>,
  { id, request: { annotations } }: ClaimedTask,
  template: StoredTemplate | null,
): Promise<Placed> {
  const received = await store.ingestion.receivedPdf(id)
  if (!received) return { ok: false, problem: failReasons.noDocument }
  const placed = await pdf.place(received, annotations, template?.fields ?? [])
  giveBack(received)
  return placed
}

/** A document that cannot be signed never reaches a signer. choice: Rehearsal of signing */
async function rehearse(
  { store, pdf }: Pick<IngestParts, 'store' | 'pdf'>,
  { id }: ClaimedTask,
  { fields, place, at }: { fields: readonly Field[]; place: SignaturePlace; at: Date },
): Promise<Rehearsed> {
  const received = await store.ingestion.receivedPdf(id)
  if (!received) return { ok: false, problem: failReasons.noDocument }
  const signature = place === 'onPages' ? 'inFields' : 'onCertificate'
  const rehearsed = await pdf.rehearse(received, { fields, signature, at: at.toISOString() })
  giveBack(received)
  return rehearsed
}
