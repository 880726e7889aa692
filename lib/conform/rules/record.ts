/** Rules of recording an outcome. */
import type { Host } from '../host.ts'
import { expectStatus, expectThat } from '../judge.ts'
import { rulesOf } from '../rule.ts'
import { update } from '../stage/outcomes.ts'
import type { Stage } from '../stage/stage.ts'
import { UNKNOWN_ID } from './states.ts'

const SPEC = 'Endpoints › Update'
const RULES = 'States and transitions › Rules'

const newRecord = (host: Host, stage: Stage, taskId: number, more: Record<string, boolean> = {}) =>
  update(host, taskId, { externalSavedDocumentId: `CONFORM-${stage.newId()}`, ...more })

export const record = rulesOf('Record', [
  [
    'an update of a task that is Pending is 400',
    RULES,
    async (host, stage) => expectStatus(await newRecord(host, stage, (await stage.pending()).taskId), 400),
  ],
  [
    'an update of a task that failed is 400',
    RULES,
    async (host, stage) => expectStatus(await newRecord(host, stage, (await stage.failed()).taskId), 400),
  ],
  [
    'an update of an unknown task is refused',
    SPEC,
    async (host, stage) => expectStatus(await newRecord(host, stage, UNKNOWN_ID), host.profile.refusals.unknownId),
  ],
  [
    'an update without externalSavedDocumentId is 400',
    SPEC,
    async (host, stage) => expectStatus(await update(host, (await stage.retracted()).taskId, {}), 400),
  ],
  [
    'an update after a retract is 204',
    SPEC,
    async (_host, stage) => expectStatus((await stage.recorded()).answer, 204),
  ],
  [
    'externalSavedDocumentId is read back',
    SPEC,
    async (_host, stage) => {
      const { savedId, output } = await stage.recorded()
      expectThat(output.externalSavedDocumentId === savedId, 'output.externalSavedDocumentId: not what was sent')
    },
  ],
  [
    'the same externalSavedDocumentId again is 400',
    SPEC,
    async (host, stage) => {
      const { taskId, savedId } = await stage.recorded()
      expectStatus(await update(host, taskId, { externalSavedDocumentId: savedId }), 400)
    },
  ],
  [
    'the externalSavedDocumentId of another task is 400',
    SPEC,
    async (host, stage) => {
      const { savedId } = await stage.recorded()
      const { taskId } = await stage.alsoRetracted()
      expectStatus(await update(host, taskId, { externalSavedDocumentId: savedId }), 400)
    },
  ],
  [
    'archived=true is read back',
    SPEC,
    async (_host, stage) =>
      expectThat((await stage.archived()).output.isArchived === true, 'output.isArchived: not true'),
  ],
  [
    'archiving cannot be undone: 400',
    SPEC,
    async (host, stage) =>
      expectStatus(await newRecord(host, stage, (await stage.archived()).taskId, { archived: false }), 400),
  ],
  [
    'saved=true is read back',
    SPEC,
    async (_host, stage) => expectThat((await stage.filed()).output.isFiled === true, 'output.isFiled: not true'),
  ],
  [
    'filing cannot be undone: 400',
    SPEC,
    async (host, stage) =>
      expectStatus(await newRecord(host, stage, (await stage.filed()).taskId, { saved: false }), 400),
  ],
])
