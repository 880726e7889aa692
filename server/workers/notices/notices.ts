/**
 * Sends the e-mails that are owed to signers. The mail server is tried at the start; while it lets no one in, nothing is claimed, so
 * that nothing counts as failed that was not tried.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { NOTICE_CODE_MS, NOTICE_LEASE_MS } from '../../choices.ts'
import { type MailProblem, mailProblems } from '../../domain/notices/mail-problem.ts'
import { noticeDue, noticeDueAgain, triedAgain } from '../../domain/notices/schedule.ts'
import { codeText, waitingText } from '../../domain/notices/texts.ts'
import type { ClaimedNotice } from '../../store/notices/owed-notices.ts'
import type { Store } from '../../store/store.ts'
import { createWorker, type Worker } from '../worker.ts'
import { type Mail, type Mailer, MailFault } from './mailer.ts'

export interface NoticesParts {
  store: Pick<Store, 'notices'>
  mailer: Mailer
  clock: Clock
  /** Returns a number from 0 to 1. */
  random(): number
  /** Makes a code of six digits that no one can guess. */
  newCode(): string
  /** Where people open the pages. */
  publicUrl: string
  /** Whether e-mails name the organizations that sent what waits. */
  namesSenders: boolean
  onFault(fault: unknown): void
}

/** E-mails under way at once. */
const SLOTS = 4
const LOOK_EVERY_MS = 5_000

export interface Notices extends Worker {
  /** Waits no longer for the mail server. What is under way is due again when its lease ends. */
  abandon(): void
}

export function createNotices(parts: NoticesParts): Notices {
  const { store, clock, mailer } = parts
  const server = doorOf(parts, () => worker.wake())
  let abandon = () => {}
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve
  })
  const worker = createWorker<ClaimedNotice>({
    clock,
    slots: SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    async claim(limit) {
      if (!server.isOpen()) {
        server.tryToOpen()
        return []
      }
      const at = timeOf(clock)
      return store.notices.claim(limit, at, new Date(at.getTime() + NOTICE_LEASE_MS))
    },
    run: (notice) => Promise.race([abandoned, sendOrPostpone(notice)]),
    nextDue: async () => (server.isOpen() ? store.notices.nextDue() : server.nextTry()),
    onFault: parts.onFault,
  })

  async function sendOrPostpone(notice: ClaimedNotice): Promise<void> {
    try {
      if (await send(parts, notice)) server.opened()
    } catch (fault) {
      if (fault instanceof MailFault) {
        server.failed(fault)
        await store.notices.postpone(notice, triedAgain(notice.failures + 1, parts.random(), timeOf(clock)))
      }
      throw fault
    }
  }

  return {
    ...worker,
    abandon,
    health: () => ({ ...worker.health(), problem: server.problem() }),
    async stop() {
      await worker.stop()
      mailer.close()
    },
  }
}

/** Whether the mail server lets us in, tried again after growing pauses while it does not. */
function doorOf({ mailer, clock, random, onFault }: NoticesParts, onOpened: () => void) {
  let problem: MailProblem | null = null
  let isOpen = false
  let failures = 0
  let nextTryAt = 0

  function failed({ code }: MailFault): void {
    problem = code
    // Of what is refused to one address, the others are not to suffer.
    if (code === 'refusedAddress' || code === 'refusedMail') return
    isOpen = false
    failures++
    nextTryAt = triedAgain(failures, random(), timeOf(clock)).getTime()
  }

  function opened(): void {
    isOpen = true
    problem = null
    failures = 0
  }

  return {
    isOpen: () => isOpen,
    /** When it is tried again; null while it is being tried. */
    nextTry: () => (Number.isFinite(nextTryAt) ? new Date(nextTryAt) : null),
    /** Begins to try when it is time. The caller does not wait for the outcome: the worker has to continue with its rounds. */
    tryToOpen(): void {
      if (clock.now() < nextTryAt) return
      // Until the outcome is known.
      nextTryAt = Number.POSITIVE_INFINITY
      const refused = (fault: MailFault) => {
        failed(fault)
        onFault(fault)
      }
      mailer.verify().then(() => {
        opened()
        onOpened()
      }, refused)
    },
    opened,
    failed,
    problem: () => (problem === null ? undefined : mailProblems[problem]),
  }
}

/** Resolves with whether there was something to send. */
async function send(parts: NoticesParts, notice: ClaimedNotice): Promise<boolean> {
  const { store, mailer, clock } = parts
  const mail = notice.kind === 'code' ? await codeMail(parts, notice) : await waitingMail(parts, notice)
  if (mail) await mailer.send(mail)
  const at = timeOf(clock)
  const setting = await store.notices.of(notice.npi)
  // A code that was asked for in the meantime is due at once.
  const sinceThen = notice.kind === 'code' ? at : noticeDue(setting, at)
  const again = notice.kind === 'waiting' && mail ? noticeDueAgain(setting, at) : null
  await store.notices.settle(notice, { again, sinceThen })
  return mail !== null
}

async function codeMail({ store, clock, newCode, publicUrl }: NoticesParts, { npi }: ClaimedNotice) {
  const code = newCode()
  const to = await store.notices.giveCode(npi, code, new Date(clock.now() + NOTICE_CODE_MS))
  return to === null ? null : ({ to, ...codeText(code, inboxOf(publicUrl)), offUrl: null } satisfies Mail)
}

async function waitingMail({ store, clock, publicUrl, namesSenders }: NoticesParts, { npi }: ClaimedNotice) {
  const content = await store.notices.content(npi, timeOf(clock))
  if (!content) return null
  const { to, count, offKey } = content
  const offUrl = new URL(`/notices/off?key=${offKey}`, publicUrl).href
  const senders = namesSenders ? content.senders : []
  return { to, ...waitingText({ count, senders, inboxUrl: inboxOf(publicUrl), offUrl }), offUrl } satisfies Mail
}

const inboxOf = (publicUrl: string): string => new URL('/inbox', publicUrl).href
