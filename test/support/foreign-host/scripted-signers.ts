/** Signers of the foreign host who act by themselves, each by the NPI, as those of the demo do. */
import type { ForeignHost } from './foreign-host.ts'
import type { ForeignTask, Json } from './records.ts'

const SIGNS = '9999900019'
const REJECTS = '9999900027'
const LOOKS_EVERY_MS = 50

export interface ScriptedSigners {
  /** Leaves what is presented from now on Pending. Returns what lets it be signed or rejected, too. */
  hold(): () => void
  end(): void
}

/** Each task becomes Pending; then its signer signs, rejects, or leaves it. */
export function scriptedSigners(host: ForeignHost): ScriptedSigners {
  let held = Promise.resolve()
  const timer = setInterval(() => {
    for (const task of host.records.tasks.values()) if (task.status === 'Received') act(host, task, held)
  }, LOOKS_EVERY_MS)
  return {
    hold() {
      let goOn = () => {}
      held = new Promise((resolve) => {
        goOn = resolve
      })
      return goOn
    },
    end: () => clearInterval(timer),
  }
}

function act(host: ForeignHost, { taskId, body }: ForeignTask, held: Promise<void>): void {
  const [performer] = body.performers as { signer: Json }[]
  const signed = () => {
    if (performer?.signer.userNPI === SIGNS) return host.signs(taskId)
    return performer?.signer.userNPI === REJECTS ? host.rejects(taskId, 'Not my patient') : undefined
  }
  // A receiver that is just restarting hears of it when it looks.
  host
    .presents(taskId)
    .catch(() => {})
    .then(() => held)
    .then(signed)
    .catch(() => {})
}
