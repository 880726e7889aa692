/** What the probe inside a Node-RED reports: messages and statuses, kept until a test takes them or waits for them. */
import type { ChildProcess } from 'node:child_process'
import { patience } from '../patience.ts'

/** A message that a probe received. */
export type Seen = Record<string, unknown> & {
  error?: { message: string; code?: string; cause?: object; source?: { id: string } }
}

export interface Status {
  text?: string
  fill?: string
}

/** Behind the text of a status: the task that it is about, and the time. */
const NEWS = /(, task \d+)?, \d\d:\d\d$/

const withoutNews = (status: Status | undefined) => (status?.text ?? '').replace(NEWS, '')

export function watchProbe(child: ChildProcess) {
  const seen: { probe: string; message: Seen }[] = []
  const statuses = new Map<string, Status>()
  /** Each status that was shown since the last deploy, as its node and its text. */
  const shownUntilNow: { id: string; text: string }[] = []
  const looking = new Set<() => void>()

  child.on(
    'message',
    (news: { probe?: string; message?: string; status?: Status & { id: string }; started?: true }) => {
      if (news.probe) seen.push({ probe: news.probe, message: revived(news.message!) })
      if (news.status) {
        statuses.set(news.status.id, news.status)
        shownUntilNow.push({ id: news.status.id, text: withoutNews(news.status) })
      }
      for (const look of [...looking]) look()
    },
  )

  const until = <T>(find: () => T | undefined, what: () => string, timeoutMs: number) =>
    new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        looking.delete(look)
        reject(new Error(`${what()} did not come within ${patience(timeoutMs)} ms`))
      }, patience(timeoutMs))
      const look = () => {
        const found = find()
        if (found === undefined) return
        clearTimeout(timer)
        looking.delete(look)
        resolve(found)
      }
      looking.add(look)
      look()
    })

  return {
    started: () =>
      new Promise<void>((resolve) => {
        const listen = ({ started }: { started?: true }) => {
          if (!started) return
          child.off('message', listen)
          resolve()
        }
        child.on('message', listen)
      }),
    forget: () => {
      seen.length = 0
      statuses.clear()
      shownUntilNow.length = 0
    },
    waiting: (probe: string) => seen.filter((one) => one.probe === probe).map(({ message }) => message),
    /** The messages of a probe that were not taken yet, which are taken now. */
    take: (probe: string) => {
      const taken = seen.filter((one) => one.probe === probe)
      for (const one of taken) seen.splice(seen.indexOf(one), 1)
      return taken.map(({ message }) => message)
    },
    next: (probe: string, matches: (message: Seen) => boolean = () => true, timeoutMs = 15_000) =>
      until(
        () => {
          const index = seen.findIndex((one) => one.probe === probe && matches(one.message))
          return index < 0 ? undefined : seen.splice(index, 1)[0]!.message
        },
        () => `A message at ${probe} (there are: ${summary(seen) || 'none'})`,
        timeoutMs,
      ),
    /** The status of a node when it has this text, with or without a task and a time behind it. */
    statusOf: (id: string, text: string | RegExp, timeoutMs = 10_000) =>
      until(
        () => {
          const status = statuses.get(id)
          const shown = withoutNews(status)
          return (typeof text === 'string' ? shown === text : text.test(shown)) ? (status ?? {}) : undefined
        },
        () => `The status "${text}" of ${id} (it is "${statuses.get(id)?.text ?? ''}")`,
        timeoutMs,
      ),
    /** Resolves when a node has shown this text since the last deploy, even if it shows another by now. */
    hasShown: (id: string, text: string, timeoutMs = 10_000) =>
      until(
        () => shownUntilNow.some((one) => one.id === id && one.text === text) || undefined,
        () => `The status "${text}" of ${id} (it is "${statuses.get(id)?.text ?? ''}")`,
        timeoutMs,
      ),
  }
}

/** Each probe with the number of its messages, and what went wrong. */
function summary(seen: readonly { probe: string; message: Seen }[]): string {
  const of = (name: string) => seen.filter(({ probe }) => probe === name)
  return [...new Set(seen.map(({ probe }) => probe))]
    .map((name) => [
      `${of(name).length} at ${name}`,
      ...of(name).flatMap(({ message }) => message.error?.message ?? []),
    ])
    .map((parts) => parts.join(': '))
    .join(', ')
}

/** Buffers travel as Base64: as lists of numbers, the documents would take most of the time of a test. */
export const asText = (message: object): string =>
  JSON.stringify(message, function (this: Record<string, unknown>, key: string, value: unknown) {
    const given = this[key]
    return Buffer.isBuffer(given) ? { type: 'Buffer', base64: given.toString('base64') } : value
  })

const revived = (text: string): Seen =>
  JSON.parse(text, (_, value: { type?: string; base64?: string } | null) =>
    value?.type === 'Buffer' && value.base64 !== undefined ? Buffer.from(value.base64, 'base64') : value,
  )
