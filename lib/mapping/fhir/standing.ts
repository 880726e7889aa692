/**
 * The effect of each status of FHIR R4 on an order: one closed table per element. A code that a table lacks holds the message,
 * as does every element that changes the meaning of a resource and is not listed here. docs/guides/mapping.md repeats the
 * tables. Pure.
 */
import type { Findings } from '../findings.ts'

/** The decision about an order: it is sent, retracted or held; `ignore` omits the resource, with a warning. */
export type Use = 'send' | 'retract' | 'hold' | 'ignore'

/** Groups the codes of an element by their use. */
const codes = (groups: Partial<Record<Use, string>>): ReadonlyMap<string, Use> =>
  new Map(
    (Object.entries(groups) as [Use, string][]).flatMap(([use, words]) =>
      words.split(' ').map((code): [string, Use] => [code, use]),
    ),
  )

const INTENTS = codes({
  send: 'order original-order reflex-order filler-order instance-order',
  hold: 'proposal plan directive option unknown',
})

/** Every code of the value set of each element. */
export const STATUSES = {
  'Bundle.type': codes({
    send: 'document message transaction batch searchset collection',
    hold: 'transaction-response batch-response history',
  }),
  'DocumentReference.status': codes({ send: 'current', retract: 'entered-in-error', hold: 'superseded' }),
  'DocumentReference.docStatus': codes({ send: 'preliminary final amended', retract: 'entered-in-error' }),
  'ServiceRequest.status': codes({
    send: 'active',
    retract: 'revoked entered-in-error',
    hold: 'draft on-hold completed unknown',
  }),
  'ServiceRequest.intent': INTENTS,
  'ServiceRequest.doNotPerform': codes({ send: 'false', hold: 'true' }),
  'Task.status': codes({
    send: 'requested received accepted ready in-progress',
    retract: 'cancelled entered-in-error',
    hold: 'draft rejected on-hold failed completed',
  }),
  'Task.intent': INTENTS,
  'Patient.active': codes({ send: 'true', hold: 'false' }),
  'Patient.link.type': codes({ send: 'replaces refer seealso', hold: 'replaced-by' }),
  'Practitioner.active': codes({ send: 'true', hold: 'false' }),
  'PractitionerRole.active': codes({ send: 'true', hold: 'false' }),
  'Organization.active': codes({ send: 'true', hold: 'false' }),
  'Encounter.status': codes({
    send: 'planned arrived triaged in-progress onleave finished unknown',
    hold: 'cancelled entered-in-error',
  }),
  'Condition.clinicalStatus': codes({ send: 'active recurrence relapse', ignore: 'inactive remission resolved' }),
  'Condition.verificationStatus': codes({
    send: 'confirmed unconfirmed provisional differential',
    ignore: 'refuted entered-in-error',
  }),
} satisfies Readonly<Record<string, ReadonlyMap<string, Use>>>

/** Elements that change the meaning of a resource, and do not matter to whether its document is signed. */
export const IRRELEVANT = ['Patient.deceased[x]'] as const

/** Elements that every resource of the type has: without them it is uncertain whether it is an order. */
const REQUIRED: readonly string[] = [
  'DocumentReference.status',
  'ServiceRequest.status',
  'ServiceRequest.intent',
  'Task.status',
  'Task.intent',
]

/** Resources whose status decides about the order itself; the order reads it, in place of holding the message at once. */
const ORDERS = new Set(['Task', 'ServiceRequest', 'DocumentReference'])

/** A status as it is in the message. */
export interface Standing {
  place: string
  code: string
  /** Undefined for a code that the table lacks. */
  use: Use | undefined
}

/** Returns what the statuses of a resource say. Elements that are missing, and need not be there, say nothing. */
export function standingOf(resource: unknown): Standing[] {
  const { resourceType } = resource as { resourceType?: unknown }
  return Object.entries(STATUSES).flatMap(([place, table]) => {
    const [type, ...path] = place.split('.')
    if (type !== resourceType) return []
    const values = valuesAt(resource, path)
    return (values.length === 0 && REQUIRED.includes(place) ? [''] : values).map((value) => {
      const code = typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
      return { place, code, use: table.get(code) }
    })
  })
}

/** Holds the message for a status that is not to be used. */
export function holdStanding({ place, code, use }: Standing, findings: Findings): void {
  const shown = /^[\w-]{1,40}$/.test(code) ? code : 'another value'
  if (use === undefined && code === '') findings.hold(place, 'is missing, or is not a code of FHIR R4')
  else if (use === undefined) findings.hold(place, `${shown} is not a code of FHIR R4`)
  else if (use === 'hold' || use === 'retract') findings.hold(place, `${shown}; the document is not sent to be signed`)
}

/** Holds the message when something changes the meaning of a resource, or when the resource itself is not to be used. */
export function holdModified(resource: unknown, findings: Findings): void {
  if (typeof resource !== 'object' || resource === null) return
  const { resourceType, implicitRules } = resource as { resourceType?: unknown; implicitRules?: unknown }
  const type = String(resourceType)
  if (implicitRules !== undefined) hold(`${type}.implicitRules`, 'is not supported')
  for (const path of extensionsIn(resource))
    if (path === TOO_DEEP) hold(type, 'is nested too deeply to be read')
    else hold(`${type}${path}`, 'is a modifier extension, which is not supported')
  if (!ORDERS.has(type)) for (const standing of standingOf(resource)) holdStanding(standing, findings)

  function hold(place: string, reason: string) {
    if (!findings.held.includes(`${place}: ${reason}`)) findings.hold(place, reason)
  }
}

const MAX_DEPTH = 200
const TOO_DEEP = '…'

/** Returns the places of all modifierExtension; those of other resources, which it holds, are theirs. */
function extensionsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (depth > MAX_DEPTH) return [TOO_DEEP]
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => extensionsIn(one, depth + 1)))]
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'modifierExtension') return ['.modifierExtension']
    if (name === 'contained' || name === 'resource') return []
    return extensionsIn(part, depth + 1).map((path) => (path === TOO_DEEP ? path : `.${name}${path}`))
  })
}

/**
 * Returns the values of an element, of all its repetitions; of a CodeableConcept, its codes. An element that lacks the inner one has an
 * empty value.
 */
function valuesAt(value: unknown, [name, ...path]: readonly string[], isInner = false): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...path], isInner))
  if (name !== undefined) {
    const inner = (value as Readonly<Record<string, unknown>> | null)?.[name]
    if (inner === undefined) return isInner ? [''] : []
    return valuesAt(inner, path, true)
  }
  const coding = (value as { coding?: unknown } | null)?.coding
  if (!Array.isArray(coding)) return [value]
  return coding.map((one) => (one as { code?: unknown } | null)?.code)
}
