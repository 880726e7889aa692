/**
 * Makes the body of `create task` of each PDF that is dropped into a folder with its index. shared/files moves the files;
 * lib/mapping maps.
 */
import { systemClock } from '../lib/clock.ts'
import { type DroppedFiles, mapFiles } from '../lib/mapping/map-files.ts'
import { faultsOf } from './shared/files/faults-of.ts'
import { type FolderIntake, openFolderIntake } from './shared/files/folder-intake.ts'
import { folderSettings } from './shared/files/settings.ts'
import { messageReader } from './shared/form/form-reader.ts'
import { migrated } from './shared/form/migration.ts'
import { acceptedBy } from './shared/intake/taken.ts'
import { mapInput } from './shared/mapping/map-input.ts'
import { orderResult } from './shared/mapping/order-result.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import { sendOn } from './shared/runtime/send-on.ts'
import { show, shownFailure } from './shared/runtime/status.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-order-from-files', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const closing = new AbortController()
    let intake: FolderIntake | undefined
    let last: string | undefined

    const onError = (failure: unknown) => {
      const known = knownFailure(failure)
      show(RED, this, shownFailure(known.code))
      if (known.message !== last) this.error(new FlowError(known))
      last = known.message
    }
    const onLook = (open: number) => {
      last = undefined
      show(RED, this, { tone: 'good', key: 'watching', values: { count: open } })
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

    // A document that is sent while the nodes are made might reach nobody.
    const opening = flowsStarted(RED, closing.signal)
      .then(() => {
        if (closing.signal.aborted) return
        const options = { ...folderSettings(config), nodeId: this.id, clock: systemClock, emit, onLook, onError }
        intake = openFolderIntake(options)
      })
      .catch(onError)

    this.on('input', (message, _send, done) => {
      const { nodeId, entry } = acceptedBy(message) ?? {}
      const faults = faultsOf(message)
      if (nodeId === this.id && entry !== undefined && faults) intake?.failed(entry, faults)
      done()
    })
    this.on('close', (_removed, done) => {
      closing.abort()
      void opening
        .then(() => intake?.close())
        .catch(onError)
        .then(done)
    })
  })
}
