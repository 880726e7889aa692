/** Rules of withdrawing a task. */
import { TASKS } from '../host.ts'
import { expectRefused, expectStatus, expectThat } from '../judge.ts'
import { rulesOf } from '../rule.ts'
import { REASON } from '../stage/tasks.ts'
import { UNKNOWN_ID } from './states.ts'

const SPEC = 'Endpoints › Retract'

export const retract = rulesOf('Retract', [
  [
    'a retract of a task that is Pending is 204',
    SPEC,
    async (_host, stage) => expectStatus((await stage.retracted()).answer, 204),
  ],
  [
    'the task becomes Retracted',
    'States and transitions',
    async (_host, stage) => {
      const { taskId } = await stage.retracted()
      const task = await stage.wait(async () => ((await stage.read(taskId)).status === 'Retracted' ? true : null))
      expectThat(task === true, 'it did not become Retracted in time')
    },
  ],
  [
    'the reason becomes the status reason',
    SPEC,
    async (_host, stage) => {
      const { taskId } = await stage.retracted()
      const task = await stage.wait(async () => {
        const read = await stage.read(taskId)
        return read.status === 'Retracted' ? read : null
      })
      expectThat(task?.statusReason === REASON, 'statusReason: not the reason that was sent')
    },
  ],
  [
    'a retract of a task that was retracted is 400',
    SPEC,
    async (host, stage) => expectStatus(await host.delete(`${TASKS}/${(await stage.retracted()).taskId}`), 400),
  ],
  [
    'a retract of a task that failed is 400',
    SPEC,
    async (host, stage) => expectStatus(await host.delete(`${TASKS}/${(await stage.failed()).taskId}`), 400),
  ],
  [
    'a retract of an unknown task is refused',
    SPEC,
    async (host) => expectStatus(await host.delete(`${TASKS}/${UNKNOWN_ID}`), host.profile.refusals.unknownId),
  ],
  [
    'the interface cannot be used to reject',
    SPEC,
    async (host, stage) => {
      const { taskId } = await stage.pending()
      expectRefused(await host.post(`${TASKS}/${taskId}/reject`, {}))
    },
  ],
])
