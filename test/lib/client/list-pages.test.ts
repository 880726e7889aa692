import { expect } from 'chai'
import { listParameters, nextPage } from '../../../lib/client/list/list-pages.ts'
import { applyFilters } from '../../../lib/client/list/task-filter.ts'
import type { Task } from '../../../lib/contract/task/task.ts'
import type { ProfileInput } from '../../../lib/profile/host-profile.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'

const listing = (list: NonNullable<ProfileInput['list']>) => parseProfile({ list }).list
const OWN = listing({})
const NUMBERED = listing({ paging: { pageParameter: 'page', sizeParameter: 'size', pageSize: 20 } })
const OFFSET = listing({ paging: { pageParameter: 'skip', counts: 'tasks', sizeParameter: 'take' } })

describe('the parameters of a list', () => {
  it('are those of the interface for our own service', () => {
    const query = { limit: 100, before: 7, status: 'Pending' } as const
    expect(listParameters(query, undefined, OWN)).to.deep.equal(query)
    expect(listParameters({}, undefined, OWN)).to.deep.equal({})
  })

  it('name the page as the host does, from its first one', () => {
    expect(listParameters({}, undefined, NUMBERED)).to.deep.equal({ page: '1', size: '20' })
    expect(listParameters({ limit: 50, before: 7 }, undefined, NUMBERED)).to.deep.equal({ page: '1', size: '50' })
    expect(listParameters({ limit: 50 }, undefined, OFFSET)).to.deep.equal({ skip: '0', take: '50' })
    expect(listParameters({ limit: 50 }, undefined, listing({ paging: 'none' }))).to.deep.equal({})
  })

  it('leave out the filters that the host does not know', () => {
    const query = { status: 'Pending', externalDocId: 'DOC-1' } as const
    expect(listParameters(query, undefined, listing({ filters: ['externalDocId'] }))).to.deep.equal({
      externalDocId: 'DOC-1',
    })
  })

  it('call filters as the host does', () => {
    const query = { status: 'Pending', externalDocId: 'DOC-1' } as const
    const parameters = listParameters(query, undefined, listing({ filterNames: { externalDocId: 'docRef' } }))
    expect(parameters).to.deep.equal({ status: 'Pending', docRef: 'DOC-1' })
  })
})

describe('the next page of a list', () => {
  it('is numbered, or an offset, until a page is not full', () => {
    expect(nextPage({ sent: { page: '1', size: '20' }, received: 20, link: undefined }, NUMBERED)).to.deep.equal({
      next: { page: '2', size: '20' },
      isLast: false,
    })
    expect(nextPage({ sent: { skip: '40', take: '20' }, received: 20, link: undefined }, OFFSET).next).to.deep.equal({
      skip: '60',
      take: '20',
    })
    expect(nextPage({ sent: { page: '2', size: '20' }, received: 19, link: undefined }, NUMBERED)).to.deep.equal({
      next: null,
      isLast: true,
    })
  })

  it('is looked for until one is empty, where the host decides how large it is', () => {
    const list = listing({ paging: { pageParameter: 'page' } })
    expect(nextPage({ sent: { page: '1' }, received: 3, link: undefined }, list).next).to.deep.equal({ page: '2' })
    expect(nextPage({ sent: { page: '2' }, received: 0, link: undefined }, list).isLast).to.equal(true)
  })

  it('is what the Link header says, wherever it leads', () => {
    const link = '<https://elsewhere.example.org/x?cursor=a%20b&status=Pending>; rel="next", </x?cursor=z>; rel="last"'
    expect(nextPage({ sent: {}, received: 1, link }, OWN)).to.deep.equal({
      next: { cursor: ['a b'], status: ['Pending'] },
      isLast: false,
    })
    expect(nextPage({ sent: {}, received: 1, link: '</x?cursor=z>; rel="prev"' }, OWN).next).to.equal(null)
    expect(nextPage({ sent: {}, received: 1, link: undefined }, listing({ paging: 'none' })).isLast).to.equal(true)
  })
})

describe('the filters of a list', () => {
  const task = (taskId: number, more: Partial<Task> = {}): Task => ({ taskId, status: 'Pending', ...more })
  const ids = (tasks: readonly Task[]) => tasks.map(({ taskId }) => taskId)

  it('are applied to what a host sends, and those that it ignored are named', () => {
    const listed = [task(1, { externalDocId: 'A' }), task(2, { externalDocId: 'B' }), task(3, { externalDocId: null })]
    const { tasks, ...found } = applyFilters(listed, { externalDocId: 'A', status: 'Pending' })
    expect(ids(tasks)).to.deep.equal([1])
    expect(found).to.deep.equal({ ignoredFilters: ['externalDocId'], unjudged: [] })
  })

  it('keep a task that says nothing about them, but never one without the id of its document', () => {
    const listed = [task(1), task(2, { output: { isFiled: true } }), task(3, { output: { isFiled: false } })]
    expect(ids(applyFilters(listed, { isFiled: true }).tasks)).to.deep.equal([1, 2])
    expect(applyFilters([task(1)], { externalDocId: 'A' })).to.deep.equal({
      tasks: [],
      ignoredFilters: [],
      unjudged: ['externalDocId'],
    })
  })

  it('take any of several saved-document ids', () => {
    const saved = (id: string) => ({ output: { externalSavedDocumentId: id } })
    const listed = [task(1, saved('A')), task(2, saved('B')), task(3, saved('C'))]
    expect(ids(applyFilters(listed, { externalSavedDocumentIds: ['A', 'C'] }).tasks)).to.deep.equal([1, 3])
  })
})
