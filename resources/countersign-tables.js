/**
 * The tables of a map as rows of text, and back. What a row cannot show of its entry stays with the row. Pure. Loaded once, by the
 * html of the configuration node.
 */
window.countersignTables = (() => {
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const isId = (cell) => /^\d{1,10}$/.test(cell) && Number(cell) >= 1 && Number(cell) <= 2_147_483_647
  const isNpi = (cell) => /^\d{10}$/.test(cell)

  const idsOf = (cells, names) =>
    Object.fromEntries(
      names
        .filter((name) => cells[name] !== '')
        .map((name) => [name, isId(cells[name]) ? Number(cells[name]) : cells[name]]),
    )

  const documentTypes = {
    code: 'code',
    cells: {
      documentTypeId: { isRight: isId, offers: 'document-types' },
      templateId: { isRight: (cell) => cell === '' || isId(cell), offers: 'templates' },
    },
    cellsOf: ({ documentTypeId = '', templateId = '' }) => ({ documentTypeId, templateId }),
    entryOf(cells, { documentTypeId: _, templateId: __, ...others } = {}) {
      return { ...others, ...idsOf(cells, ['documentTypeId', 'templateId']) }
    },
  }
  const ofNpis = (code, name) => ({
    code,
    cells: { [name]: { isRight: isNpi } },
    cellsOf: (entry) => ({ [name]: entry }),
    entryOf: (cells) => cells[name],
  })
  /**
   * The tables by their name in the map: what its code is called, its other cells, and how an entry becomes cells and the
   * reverse.
   */
  const TABLES = {
    documentTypes,
    organizations: ofNpis('facility', 'orgNPI'),
    signers: ofNpis('id', 'userNPI'),
  }

  /** Whether a value of an entry is what a cell can hold. */
  const fits = (value) => typeof value === 'string' || typeof value === 'number'

  /** Returns `{ code, cells, entry }` for each entry of a table; null when rows cannot show them all. */
  function rowsOf(name, table = {}) {
    const isDeep = name === 'documentTypes'
    if (!isObject(table) || Object.hasOwn(table, '')) return null
    if (Object.values(table).some((entry) => isDeep !== isObject(entry))) return null
    const rows = Object.entries(table).map(([code, entry]) => ({ code, cells: TABLES[name].cellsOf(entry), entry }))
    if (rows.some(({ cells }) => !Object.values(cells).every(fits))) return null
    return rows.map(({ cells, ...row }) => ({
      ...row,
      cells: Object.fromEntries(Object.entries(cells).map(([cell, value]) => [cell, String(value)])),
    }))
  }

  /** Returns the table of these rows. A row without a code, or with one that an earlier row has, is not in it. */
  function tableOf(name, rows) {
    const table = new Map()
    for (const { code, cells, entry } of rows)
      if (code !== '' && !table.has(code)) table.set(code, TABLES[name].entryOf(cells, entry))
    return Object.fromEntries(table)
  }

  /** Returns the names of the cells of each row that are wrong, by what the row and those before it say. */
  function wrongCells(name, rows) {
    const { code: codeName, cells } = TABLES[name]
    return rows.map(({ code, cells: values }, index) => {
      const isEmpty = code === '' && Object.values(values).every((value) => value === '')
      if (isEmpty) return []
      const isTaken = rows.slice(0, index).some((row) => row.code === code)
      const wrong = Object.keys(cells).filter((cell) => !cells[cell].isRight(values[cell]))
      return code === '' || isTaken ? [codeName, ...wrong] : wrong
    })
  }

  return { TABLES, isObject, rowsOf, tableOf, wrongCells }
})()
