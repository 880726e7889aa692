/** Demo signers who act by themselves: they sign or reject each document some seconds after it reaches their inbox. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { SERVICE } from '../domain/audit.ts'
import { Later, Refusal } from '../domain/refusal.ts'
import { type ChosenScript, type ChosenScripts, isInShare } from '../operations/sandbox/chosen-scripts.ts'
import { withoutPage } from '../signing/circumstances.ts'
import { requiredValues, type Signing } from '../signing/sign.ts'
import type { SignerScript } from '../store/directory/providers.ts'
import type { Store } from '../store/store.ts'
import { createWorker, type Worker } from '../workers/worker.ts'

export interface ScriptParts {
  store: Pick<Store, 'providers' | 'signing'>
  /** In place of the signers' own scripts. */
  chosen: Pick<ChosenScripts, 'npis' | 'of'>
  signing: Signing
  clock: Clock
  onFault(fault: unknown): void
}

export interface ScriptedSigners extends Worker {
  /** Forgets which tasks they have tried: ids are given again when a sandbox starts over. */
  startOver(): void
}

interface Turn {
  taskId: number
  script: SignerScript
  dueAt: Date
}

const SLOTS = 2
const LOOK_EVERY_MS = 1_000

export function createScriptedSigners({ store, chosen, signing, clock, onFault }: ScriptParts): ScriptedSigners {
  /** Tasks under way, and those whose signing failed: a demo signer tries a document once. */
  const taken = new Set<number>()
  /** The turns that the last look found. */
  let found: readonly Turn[] = []

  async function turns(): Promise<Turn[]> {
    const waiting = await store.signing.waitingForScripts(chosen.npis())
    return waiting
      .filter(({ taskId }) => !taken.has(taskId))
      .flatMap(({ taskId, organizationId, signerNpi, since, ...own }) => {
        const script = scriptFor(taskId, chosen.of(organizationId, signerNpi), own.script)
        return script ? [{ taskId, script, dueAt: later(since, script.afterSeconds) }] : []
      })
      .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
  }

  const worker = createWorker<Turn>({
    clock,
    slots: SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    onFault,
    async claim(limit) {
      found = await turns()
      const due = found.filter(({ dueAt }) => dueAt <= timeOf(clock)).slice(0, limit)
      for (const { taskId } of due) taken.add(taskId)
      return due
    },
    // Asked right after a look that found nothing due.
    nextDue: async () => found[0]?.dueAt ?? null,
    async run({ taskId, script }) {
      try {
        if (script.act === 'reject') return await signing.reject('all', taskId, SERVICE, script.reason ?? null)
        const document = await store.signing.find('all', taskId)
        if (document)
          await signing.sign('all', taskId, SERVICE, {
            values: requiredValues(document),
            signatureImage: null,
            circumstances: withoutPage('demoSigner'),
          })
      } catch (failure) {
        // Retracted, or signed by another person in the meantime: nothing is left for the script to do.
        if (!(failure instanceof Refusal)) throw failure
        // Not its try: the store could not do its part.
        if (failure instanceof Later) taken.delete(taskId)
      }
    },
  })
  return {
    ...worker,
    nextDue: async () => (await turns())[0]?.dueAt ?? null,
    startOver: () => taken.clear(),
  }
}

const later = (since: Date, seconds: number) => new Date(since.getTime() + seconds * 1000)

/** Returns what the signer does with the task; null while the signer waits. */
function scriptFor(taskId: number, chosen: ChosenScript | undefined, own: SignerScript | null): SignerScript | null {
  if (!chosen) return own
  const { act, afterSeconds, reason, share } = chosen
  if (act === 'wait' || !isInShare(taskId, share ?? 1)) return null
  return { act, afterSeconds: afterSeconds ?? AFTER_SECONDS, ...(reason && { reason }) }
}
const AFTER_SECONDS = 10
