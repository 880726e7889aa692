/** Hosts that break one rule each. */
import { randomUUID } from 'node:crypto'
import { ORDER } from '../pdf/order-pdf.ts'
import type { Answered, Asked, Break } from './a-breaking-proxy.ts'

const TASKS = '/api/v1/signature/tasks'
const SUBSCRIPTIONS = '/api/v1/signature/webhooks'

/** Of documents: small enough to be sent for each break. */
export const SMALL_LIMIT = 65_536

const isCreate = ({ method, path }: Asked) => method === 'POST' && path === TASKS
const isRead = ({ method, path }: Asked) => method === 'GET' && path.startsWith(`${TASKS}/`)
const isRetract = ({ method, path }: Asked) => method === 'DELETE' && path.startsWith(TASKS)
const isUpdate = ({ method, path }: Asked) => method === 'PATCH' && path.startsWith(TASKS)
const isList = ({ method, path }: Asked, list: string) => method === 'GET' && path === list

/** The answer to a create that was accepted. */
const created = (change: (answered: Answered) => void) => (answered: Answered, asked: Asked) => {
  if (isCreate(asked) && answered.status === 201) change(answered)
}
const refused = (change: (answered: Answered) => void) => (answered: Answered, asked: Asked) => {
  if (isCreate(asked) && answered.status === 400) change(answered)
}
const creating = (change: (body: Asked['body']) => void) => (asked: Asked) => {
  if (isCreate(asked)) change(asked.body)
}

const lookUps: Break[] = [
  {
    name: 'asks for a key at the health check',
    finds: ['the health check needs no key'],
    answer(answered, { path }) {
      if (path === '/health-check') answered.status = 401
    },
  },
  {
    name: 'accepts any key',
    finds: ['a wrong key is refused'],
    request(asked, { first }) {
      if (asked.key === 'no-such-key') asked.key = first
    },
  },
  {
    name: 'has document types without a category',
    finds: ['document types are a list of id, name and category'],
    answer(answered, asked) {
      if (isList(asked, '/api/v1/documenttypes') && answered.status === 200)
        for (const type of answered.body) delete type.category
    },
  },
  {
    name: 'answers 400 for an unknown NPI',
    finds: ['an NPI without an active provider is 404'],
    answer(answered, { path }) {
      if (path.startsWith('/api/v1/users/providers/') && answered.status === 404) answered.status = 400
    },
  },
]

const creates: Break[] = [
  {
    name: 'answers a create with 200',
    finds: ['a create is answered 201'],
    answer: created((answered) => {
      answered.status = 200
    }),
  },
  {
    name: 'has no statusReason in the answer to a create',
    finds: ['the answer has taskId, the status Received and statusReason'],
    answer: created(({ body }) => {
      delete body.statusReason
    }),
  },
  {
    name: 'accepts a patient without a sex',
    finds: ['a create without a sex is 400'],
    request: creating(({ patient }) => {
      if (patient) patient.sex ??= 'Unknown'
    }),
  },
  {
    name: 'accepts two performers',
    finds: ['a create with two performers is 400'],
    request: creating((body) => {
      body.performers = body.performers?.slice(0, 1)
    }),
  },
  {
    name: 'accepts a file that is no PDF',
    finds: ['a create with an attachment that is not a PDF is 400'],
    request: creating(({ document }) => {
      const text = Buffer.from(document?.attachment ?? '', 'base64').toString()
      if (text.startsWith('A text')) document.attachment = ORDER
    }),
  },
  {
    name: 'needs no diagnosis code',
    finds: ['a create without the diagnosis code that its template needs is 400'],
    request: creating(({ document }) => {
      if (document?.annotations?.templateId) document.diagnosisCode ??= 'I50.9'
    }),
  },
  {
    name: 'has no window for the clinical date',
    finds: ['a create with a clinical date before the window of its template is 400'],
    request: creating(({ document }) => {
      if (document?.effectiveDate?.startsWith('1900')) document.effectiveDate = new Date().toISOString().slice(0, 10)
    }),
  },
  {
    name: 'takes documents of any size',
    finds: ['a create with a document just above the limit of the profile is 400 or 413'],
    request: creating(({ document }) => {
      if (document?.attachment?.length > SMALL_LIMIT) document.attachment = ORDER
    }),
  },
  {
    name: 'has no errors in a refusal',
    finds: ['a refused create says why: { errors: [text, …] }'],
    answer: refused((answered) => {
      answered.body = { message: 'Wrong' }
    }),
  },
  {
    name: 'refuses an unknown signer',
    finds: ['an unknown signer is accepted'],
    answer: (answered, asked) => {
      if (isCreate(asked) && asked.body.performers?.[0]?.signer.userNPI === '0000000000') answered.status = 400
    },
  },
]

const reads: Break[] = [
  {
    name: 'tells no documentId',
    finds: ['a task that is Pending has a documentId'],
    answer(answered, asked) {
      if (isRead(asked)) answered.body.documentId = null
    },
  },
  {
    name: 'ignores the filter externalDocId',
    finds: ['externalDocId narrows the list to its tasks'],
    request: ({ query }) => query.delete('externalDocId'),
  },
]

/** A host that accepts an id for the outcome as often as it comes. */
function forgetful(): Break {
  const seen = new Set<string | null>()
  return {
    name: 'accepts an externalSavedDocumentId again',
    finds: ['the same externalSavedDocumentId again is 400', 'the externalSavedDocumentId of another task is 400'],
    answer(answered, asked) {
      const id = asked.query.get('externalSavedDocumentId')
      if (isUpdate(asked) && seen.has(id)) answered.status = 204
      if (isUpdate(asked) && answered.status === 204) seen.add(id)
    },
  }
}

const outcomes: Break[] = [
  {
    name: 'loses the reason of a retract',
    finds: ['the reason becomes the status reason'],
    request: ({ query }) => query.delete('reason'),
  },
  {
    name: 'answers 204 to every retract',
    finds: [
      'a retract of a task that was retracted is 400',
      'a retract of a task that failed is 400',
      'a retract of an unknown task is refused',
      'another organization cannot retract the task',
    ],
    answer(answered, asked) {
      if (isRetract(asked)) answered.status = 204
    },
  },
  forgetful(),
  {
    name: 'accepts that archiving is undone',
    finds: ['archiving cannot be undone: 400'],
    answer(answered, asked) {
      if (isUpdate(asked) && asked.query.get('archived') === 'false') answered.status = 204
    },
  },
]

/** A host that calls a deactivated subscription all the same, and lists it as deactivated. */
function unstoppable(): Break {
  const inactive = new Set<number>()
  return {
    name: 'calls subscriptions that were deactivated',
    finds: ['an inactive subscription gets none'],
    request(asked) {
      if (asked.method !== 'PATCH' || asked.body?.active !== false) return
      inactive.add(Number(asked.path.split('/').at(-1)))
      asked.body.active = true
    },
    answer(answered, asked) {
      if (isList(asked, SUBSCRIPTIONS)) for (const row of answered.body) if (inactive.has(row.id)) row.isActive = false
    },
  }
}

const subscriptions: Break[] = [
  unstoppable(),
  {
    name: 'does not activate a subscription again',
    finds: ['a subscription that was activated again gets them'],
    request({ method, body }) {
      if (method === 'PATCH' && body?.active === true) body.active = false
    },
  },
  {
    name: 'sends a callback again with another event id',
    finds: ['a callback that was answered 500 comes again with the same event id'],
    callback: (headers, subscription) => {
      if (subscription === 'refused-once') headers['x-service-event-id'] = randomUUID()
    },
  },
  {
    name: 'signs in capital letters',
    finds: ['its signature is sha256= and lower-case hexadecimal'],
    callback: (headers) => {
      headers['x-service-signature'] = `sha256=${headers['x-service-signature']!.slice(7).toUpperCase()}`
    },
  },
  {
    name: 'signs with something else than the secret',
    finds: ['its signature is right'],
    callback: (headers) => {
      headers['x-service-signature'] = `sha256=${'0'.repeat(64)}`
    },
  },
  {
    name: 'has another event id in the header than in the body',
    finds: ['the event id of its header is that of its body'],
    callback: (headers) => {
      headers['x-service-event-id'] = '00000000-0000-4000-8000-000000000000'
    },
  },
]

const organizations: Break[] = [
  {
    name: 'shows a task to every organization',
    finds: ['another organization cannot read the task'],
    request(asked, { first, second }) {
      if (isRead(asked) && asked.key === second) asked.key = first
    },
  },
  {
    name: 'lists tasks of every organization',
    finds: ['another organization does not list the task'],
    request(asked, { first, second }) {
      if (isList(asked, TASKS) && asked.key === second) asked.key = first
    },
  },
]

export const breaks: readonly Break[] = [
  ...lookUps,
  ...creates,
  ...reads,
  ...outcomes,
  ...subscriptions,
  ...organizations,
]
