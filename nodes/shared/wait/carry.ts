/** Keeps the messages of a wait node in the journal, encrypted, so that they come back whole after a deploy or a restart. */
import { pack, unpack } from '../carry/pack.ts'
import { sealOf } from '../carry/seal-of.ts'
import { warnsOnce } from '../carry/warns-once.ts'
import type { Config, Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'

export interface Carry {
  /** Returns the properties of a message, sealed; undefined when none are to be carried along. Warns of those that are not. */
  pack(taskId: number, message: Message): string | undefined
  /** Returns the properties that were packed; none, with a warning, when they cannot be opened. */
  unpack(taskId: number, sealed: string): Message
}

export function createCarry(runtime: Runtime, node: RuntimeNode, config: Config): Carry {
  const seal = sealOf(runtime)
  const placeOf = (taskId: number) => `wait/${node.id}/${taskId}`
  const warn = warnsOnce((names) => node.warn(runtime._('warning.dropped', { names })))

  return {
    pack(taskId, message) {
      if (config.carry === 'none') return undefined
      const names = config.carry === 'chosen' && { names: String(config.carried ?? '').split(/[\s,]+/) }
      const { bytes, dropped } = pack(message, { ...names, maxBytes: kilobytes(config.carryLimit) })
      warn(dropped)
      return seal().seal(bytes, placeOf(taskId))
    },
    unpack(taskId, sealed) {
      try {
        return unpack(seal().open(sealed, placeOf(taskId)))
      } catch {
        node.warn(runtime._('warning.cannotOpen', { taskId }))
        return {}
      }
    },
  }
}

/** 0 for what is not a number. */
const kilobytes = (entered: unknown): number => (Number(entered) || 0) * 1024
