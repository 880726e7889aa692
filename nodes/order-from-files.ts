/**
 * Makes the body of `create task` of each PDF that is dropped into a folder with its index. shared/files moves the files;
 * lib/mapping maps.
 */
import { systemClock } from '../lib/clock.ts'
import { type DroppedFiles, mapFiles } from '../lib/mapping/map-files.ts'
import { sealOf } from './shared/carry/seal-of.ts'
import { defaultFolder, queueOf } from './shared/database/journal-choice.ts'
import type { Turns } from './shared/database/shared-database.ts'
import type { Where } from './shared/database/where.ts'
import { faultsOf } from './shared/files/faults-of.ts'
import { type FolderIntake, openFolderIntake, type Seen } from './shared/files/folder-intake.ts'
import { refusalsInWords } from './shared/files/refusals-in-words.ts'
import { folderSettings } from './shared/files/settings.ts'
import { messageReader } from './shared/form/form-reader.ts'
import { migrated } from './shared/form/migration.ts'
import { acceptedBy } from './shared/intake/taken.ts'
import { mapInput } from './shared/mapping/map-input.ts'
import { orderResult } from './shared/mapping/order-result.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { RUN } from './shared/runtime/run.ts'
import { sendOn } from './shared/runtime/send-on.ts'
import { show, shownFailure } from './shared/runtime/status.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-order-from-files', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const closing = new AbortController()
    let intake: FolderIntake | undefined
    let last: string | undefined
    let lastRefusals = ''

    const onError = (failure: unknown) => {
      const known = knownFailure(failure)
      show(RED, this, shownFailure(known.code))
      if (known.message !== last) this.error(new FlowError(known))
      last = known.message
    }
    const onLook = ({ open: count, refused }: Seen) => {
      last = undefined
      const refusals = refusalsInWords(refused)
      if (refusals !== '' && refusals !== lastRefusals) this.warn(refusals)
      lastRefusals = refusals
      const total = [...refused.values()].reduce((sum, one) => sum + one, 0)
      if (total === 0) show(RED, this, { tone: 'good', key: 'watching', values: { count } })
      else show(RED, this, { tone: 'waiting', key: 'watchingRefused', values: { count, refused: total } })
    }
    const emit = async (files: DroppedFiles, properties: Message): Promise<readonly string[]> => {
      const map = await mapInput(messageReader({ runtime: RED, node: this, config }, {}))
      const mapped = mapFiles(files, map)
      const { set, output = 0, shown = { tone: 'good', key: 'done' } } = orderResult(mapped)
      // Held files lie in the folder `error`, for a person to correct and drop again: nothing waits for them.
      const { intake: _, ...held } = properties
      const sent = mapped.ok ? { ...properties, ...set } : { ...held, ...set }
      sendOn({ runtime: RED, node: this, send: this.send.bind(this) }, output, sent, shown)
      return mapped.ok ? [] : mapped.held
    }

    // A document that is sent while the nodes are made might reach no one.
    const { signal } = closing
    const openIn = (where: Where, isOurs = () => true) => {
      intake = openFolderIntake({
        ...folderSettings(config),
        where,
        stateFolder: defaultFolder(RED),
        nodeId: this.id,
        seal: sealOf(RED)(),
        run: RUN,
        isOurs,
        clock: systemClock,
        emit,
        onLook,
        onError,
      })
    }
    let turns: Turns | undefined
    let stopFollowing = () => {}
    let following = Promise.resolve()
    /** Watches the folder while it is the turn of this process. */
    const follow = (where: Where, held: Turns) => {
      const { isOurs } = held
      following = following
        .then(async () => {
          if (!isOurs) show(RED, this, { tone: 'waiting', key: 'watchedElsewhere' })
          if (isOurs && !intake && !signal.aborted) openIn(where, () => held.isOurs)
          if (isOurs || !intake) return
          await intake.close(false)
          intake = undefined
        })
        .catch(onError)
    }
    const open = async () => {
      const where = queueOf(RED, 'files', this.id)
      if (typeof where === 'string') return openIn(where)
      const { folder } = folderSettings(config)
      const held = where.database.takeTurns(`folder ${folder}`)
      turns = held
      stopFollowing = where.database.onBeat(() => follow(where, held))
    }
    const opening = flowsStarted(RED, signal).then(() => keepTrying(open, { signal, onFailure: onError }))

    this.on('input', (message, _send, done) => {
      const { nodeId, entry } = acceptedBy(message) ?? {}
      const faults = faultsOf(message)
      if (nodeId === this.id && entry !== undefined && faults) intake?.failed(entry, faults)
      done()
    })
    this.on('close', (removed, done) => {
      closing.abort()
      const isDeleted = removed && !nodesInFlows(RED)(this.id)
      stopFollowing()
      void opening
        .then(() => following)
        .then(() => intake?.close(isDeleted))
        .then(() => turns?.leave())
        .catch(onError)
        .then(done)
    })
  })
}
