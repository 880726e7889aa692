/** The story of a task in the language of the page: of each entry, its kind and values in a sentence. */
import type { TaskStatus } from '../../../../lib/contract/task/task.ts'
import type { AttemptOutcome } from '../../../domain/delivery/attempt.ts'
import type { StoryEntry } from '../../../domain/task/story.ts'
import { t } from '../../words/words.ts'

export function storyInWords(entry: StoryEntry): string {
  const { kind, outcome } = entry
  const isStopped = kind === 'document.differ' || kind === 'seal.fail'
  if (outcome === 'refused' && !isStopped && isTried(kind))
    return t('story.refused', { who: whoIn(entry), act: t(`tried.${kind}`) })
  return sentences[kind](entry, { who: whoIn(entry), ...textsOf(entry.values) })
}

type Values = Readonly<Record<string, string>> & { who: string }
type Kind = StoryEntry['kind']
type Acted = Exclude<Kind, 'event' | 'event.send' | 'document.seal' | 'task.match' | 'task.route' | 'task.place'>

const isTried = (kind: Kind): kind is Acted =>
  !['event', 'event.send', 'document.seal', 'task.match', 'task.route', 'task.place'].includes(kind)

/** Ids are not written as numbers are. */
const textsOf = (values: StoryEntry['values']) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function whoIn({ by, onBehalfOf }: StoryEntry): string {
  const who = nameOf(by)
  return onBehalfOf ? t('who.for', { who, owner: onBehalfOf.name }) : who
}

function nameOf({ kind, id, name }: StoryEntry['by']): string {
  switch (kind) {
    case 'key':
      return name ? t('who.keyOf', { id: id ?? '', name }) : t('who.key', { id: id ?? '' })
    case 'signer':
      return name ?? t('who.signer', { id: id ?? '' })
    case 'operator':
      if (id === null) return t('who.commandLine')
      return name ?? t('who.account', { id })
    case 'service':
      return t('who.service')
    case 'visitor':
      return t('who.visitor')
  }
}

const ended = (act: string, { reason }: Values) =>
  reason ? t('story.because', { act, reason }) : t('story.plain', { act })

/** Who signed or rejected: a script and a call of a sandbox are named as such. */
function signed({ by }: StoryEntry, verb: 'signed' | 'rejected', { who, signer = '' }: Values): string {
  if (by.kind === 'service') return t(`story.${verb}Script`, { signer })
  return by.kind === 'key' ? t(`story.${verb}Call`, { signer, who }) : t(`story.${verb}`, { who })
}

/** A kind without a sentence does not compile. */
const sentences: Record<Kind, (entry: StoryEntry, values: Values) => string> = {
  'task.create': (_, { who, sender = '', request, isTest }) => {
    if (isTest) return t('story.createTest', { sender, who })
    return request ? t('story.createRequest', { sender, who, request }) : t('story.create', { sender, who })
  },
  'task.match': (_, { patient = '', isNew }) => t(isNew === 'yes' ? 'story.matchNew' : 'story.match', { patient }),
  'task.route': (_, { organization = '', route }) =>
    t(`story.route.${route as 'orgNPI' | 'address' | 'primary'}`, { organization }),
  'task.place': ({ values }) => t('story.place', { count: Number(values.fields) }),
  'task.present': (_, { signer = '' }) => t('story.present', { signer }),
  'task.review': (_, { who, patient, isNew }) => {
    if (!patient) return t('story.decided', { who })
    return t(isNew === 'yes' ? 'story.decidedNew' : 'story.decidedSame', { patient, who })
  },
  'task.reopen': (_, { who }) => t('story.reopen', { who }),
  'task.fail': (_, values) => ended(t('story.failed', values), values),
  'task.sign': (entry, values) => t('story.plain', { act: signed(entry, 'signed', values) }),
  'task.reject': (entry, values) => ended(signed(entry, 'rejected', values), values),
  'task.retract': (_, values) => ended(t('story.retracted', values), values),
  'task.cancel': (_, values) => ended(t('story.cancelled', values), values),
  'task.record': (_, { who, saved }) => (saved ? t('story.recordAs', { who, saved }) : t('story.record', { who })),
  'task.read': (_, { who }) => t('story.read', { who }),
  'task.remove-contents': () => t('story.removed'),
  'document.read': ({ by }, { who, document }) => {
    if (by.kind === 'key') return t('story.downloaded', { who })
    return t(document === 'signed' ? 'story.signedOpened' : 'story.opened', { who })
  },
  'document.view': (_, { who, document }) => {
    if (document === 'signed') return t('story.viewedSigned', { who })
    return t(document === 'original' ? 'story.viewedOriginal' : 'story.viewed', { who })
  },
  'document.copy': (_, { who }) => t('story.copied', { who }),
  'document.differ': (_, { who }) => t('story.differed', { who }),
  'document.seal': () => t('story.seal'),
  'seal.fail': (_, { who }) => t('story.sealFailed', { who }),
  event: ({ status }) => t('story.status', { status: status ? t(`status.${status}`) : '' }),
  'event.send': ({ values }) => sent(values),
}

function sent({ receiver = '', state, isHeld, attempts, answer, status: reported }: StoryEntry['values']): string {
  const status = reported === undefined ? t('story.event') : t(`status.${reported as TaskStatus}`)
  const count = Number(attempts)
  const last = answer === undefined ? t('answered.delivered') : answerInWords(answer)
  const told = { status, receiver }
  if (state === 'delivered')
    return count > 1
      ? t('sent.deliveredAfter', { ...told, answer: last, count })
      : t('sent.delivered', { ...told, answer: last })
  const so = { ...told, attempts: count === 0 ? t('sent.none') : t('sent.attempts', { count, answer: last }) }
  if (state === 'waiting') return t(isHeld === 'yes' ? 'sent.held' : 'sent.waiting', so)
  return t(state === 'failed' ? 'sent.failed' : 'sent.cancelled', so)
}

const answerInWords = (answer: string | number): string =>
  typeof answer === 'number'
    ? t('answered.status', { status: String(answer) })
    : t(`answered.${answer as AttemptOutcome}`)
