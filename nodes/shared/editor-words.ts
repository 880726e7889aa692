/**
 * Words of the interface that the forms offer. The editor finds them in `RED.settings`, under names that have to begin with the
 * type of the node that registers them.
 */
import { fieldTypes } from '../../lib/contract/task/field-kinds.ts'
import { taskStatuses } from '../../lib/contract/task/task-status.ts'
import { rowLists } from './form/placed-fields.ts'
import type { EditorSettings } from './runtime/node-red.ts'
import { EXCEPTIONAL_OUTPUTS } from './runtime/send-on.ts'

const exported = (value: unknown) => ({ value, exportable: true })

export const editorWords: EditorSettings = {
  countersignServiceFieldTypes: exported(fieldTypes),
  countersignServiceTaskStatuses: exported(taskStatuses),
  countersignServiceRowLists: exported(rowLists),
  countersignServiceExceptionalOutputs: exported(EXCEPTIONAL_OUTPUTS),
}
