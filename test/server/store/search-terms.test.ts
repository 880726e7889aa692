/** The blind index of patients: readable by nobody without the key, and removed with the patient. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { readSearch } from '../../../server/domain/task/search-words.ts'
import { transition } from '../../../server/domain/task/task.ts'
import { DATABASE_FILE } from '../../../server/store/folder/data-files.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { AT, later, newTask, organization, pending, signer } from './stores-in.ts'

describe('the blind index of patients', () => {
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 1)
  const { request } = newTask()
  const [name] = request.patient.names
  let store: Store
  let willow: number
  let taskId: number
  const query = (sql: string) => {
    const database = new DatabaseSync(join(data, DATABASE_FILE))
    const rows = database.prepare(sql).all() as Record<string, unknown>[]
    database.close()
    return rows
  }
  const found = async () =>
    (await store.overview(null).search(readSearch(`${name!.family} ${request.patient.birthDate}`), 'hidden')).byPatient
      .length

  before(async () => {
    store = await openStore(data, masterKey)
    willow = await organization(store)
    const practice = await signer(store)
    await store.documentTypes.create({ name: 'Order', category: 'Order' }, AT)
    taskId = await pending(store, willow, practice)
  })
  after(() => store.close())

  it('finds what was created, and differs between organizations', async () => {
    expect(await found()).to.equal(1)
    const other = await organization(store, 'Northfield')
    await store.forOrganization(other).tasks.create(newTask(), AT)
    expect(await found()).to.equal(2)
    const terms = query('SELECT term FROM task_term').map(({ term }) => String(term))
    expect(new Set(terms).size).to.equal(terms.length)
    expect(terms.join().toLowerCase()).not.to.include(name!.family.toLowerCase())
  })

  it('is removed with the patient', async () => {
    await store
      .tasks('all')
      .change(taskId, OPERATOR, (task) => transition(task, 'cancel', { at: AT, eventId: 'cancelled', reason: 'Test' }))
    await store.outbox.fanOut(AT, 10)
    while (await store.retention.removeContents(later(60), later(60)));
    expect(query(`SELECT * FROM task_term WHERE task_id = ${taskId}`)).to.deep.equal([])
    expect(await found()).to.equal(1)
    await store.reset(willow, OPERATOR, later(61))
    expect(query('SELECT DISTINCT task_id FROM task_term')).to.have.length(1)
  })
})
