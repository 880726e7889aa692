/**
 * The map in the forms that map messages, as JSON and as tables: both show the same map, and what is typed in one shows in the
 * other. Loaded once, by the html of the configuration node.
 */
/* global RED, $, countersign, countersignCsv, countersignOffers, countersignTables */
window.countersignMap = (() => {
  const text = (...given) => countersign.text(...given)

  const parsed = (json) => {
    try {
      return JSON.parse(json)
    } catch {
      return undefined
    }
  }

  /** Fills `#countersign-map-<table>` of the open form. */
  function show() {
    offerServices()
    const input = $('#node-input-map')
    const mapNow = () => (input.typedInput('type') === 'json' ? parsed(input.typedInput('value')) : undefined)
    let written
    function write(name, table) {
      const map = mapNow()
      if (Object.keys(table).length === 0 && !Object.hasOwn(map, name)) return
      written = JSON.stringify({ ...map, [name]: table })
      input.typedInput('value', written)
    }
    const views = Object.keys(countersignTables.TABLES).map((name) => tableView(name, (table) => write(name, table)))
    const fill = () => {
      if (input.typedInput('value') === written) return
      written = undefined
      for (const view of views) view.fill(input.typedInput('type') === 'json', mapNow())
    }
    input.on('change', fill)
    fill()
  }

  /** The services of the flows, for what they list. Which one is chosen here is not stored. */
  function offerServices() {
    const select = $('<select id="countersign-map-service" class="countersign-wide">')
    RED.nodes.eachConfig((node) => {
      if (node.type === 'countersign-service')
        $('<option>').val(node.id).text(RED.utils.getNodeLabel(node, node.id)).appendTo(select)
    })
    if (select.children().length === 0) return
    const label = $('<label for="countersign-map-service">').text(text('map.offeredBy'))
    $('<div class="form-row">').append(label, select).appendTo('#countersign-map-documentTypes')
  }

  /** A table of the form. `onEdit` is called with it as it is in the map when a person has changed it. */
  function tableView(name, onEdit) {
    const part = $(`#countersign-map-${name}`)
    const about = $('<p>')
      .text(text(`map.about.${name}`))
      .prependTo(part)
    const notShown = $('<p>').insertAfter(about)
    const body = $('<div class="form-row countersign-rows">').appendTo(part)
    const list = $(`<ol id="node-input-${name}-rows">`).appendTo(body)
    const wrongRow = $('<p class="countersign-failed">').text(text('map.wrongRow')).appendTo(body)
    const rows = () => list.editableList('items').toArray().map(rowOf)
    const mark = () => {
      const wrong = countersignTables.wrongCells(name, rows())
      list.editableList('items').each((index, item) => {
        $(item)
          .find('input')
          .each((_, input) => void $(input).toggleClass('input-error', wrong[index].includes(input.dataset.cell)))
      })
      wrongRow.toggle(wrong.some((cells) => cells.length > 0))
    }
    const edited = () => {
      mark()
      onEdit(countersignTables.tableOf(name, rows()))
    }
    const put = (all) => list.editableList('empty').editableList('addItems', all)
    list.editableList({
      height: 'auto',
      removable: true,
      header: headOf(name),
      addButton: text('editor.add'),
      addItem: (container, _index, row) => addRow(container, name, row, edited),
      removeItem: edited,
    })
    countersignCsv
      .buttons(name, {
        table: () => countersignTables.tableOf(name, rows()),
        take(table) {
          put(countersignTables.rowsOf(name, table))
          edited()
        },
      })
      .appendTo(body)

    return {
      fill(isHere, map) {
        const found = countersignTables.isObject(map) ? countersignTables.rowsOf(name, map[name]) : null
        notShown.text(found ? '' : text(isHere ? 'map.notShown' : 'map.elsewhere'))
        body.toggle(found !== null)
        put(found ?? [])
        mark()
      },
    }
  }

  function headOf(name) {
    const { code, cells } = countersignTables.TABLES[name]
    const head = [code, ...Object.keys(cells)].map((cell) => $('<span>').text(text(`map.cell.${cell}`)))
    return $('<div class="countersign-map-row">').append(head)
  }

  const EMPTY = { code: '', cells: {} }

  function addRow(container, name, given, onEdit) {
    const { code, cells } = countersignTables.TABLES[name]
    const row = 'code' in given ? given : EMPTY
    container.addClass('countersign-map-row').data('entry', row.entry)
    const add = (cell, value = '') =>
      $('<input type="text">')
        .attr({ 'data-cell': cell, 'aria-label': text(`map.cell.${cell}`) })
        .val(value)
        .on('change', ({ target }) => {
          $(target).val((_, typed) => typed.trim())
          onEdit()
        })
        .appendTo(container)
    add(code, row.code)
    for (const [cell, { offers }] of Object.entries(cells)) {
      const input = add(cell, row.cells[cell])
      if (offers) countersignOffers.offer(input, offers)
    }
  }

  function rowOf(item) {
    const [code, ...cells] = $(item).find('input').toArray()
    return {
      code: code.value,
      cells: Object.fromEntries(cells.map(({ dataset, value }) => [dataset.cell, value])),
      entry: $(item).data('entry'),
    }
  }

  /** Validates the map of a node as far as its tables go. Returns true, or the text of the mark. */
  function isRight(node, value, options) {
    if (countersign.now(node, 'mapType') !== 'json')
      return RED.validators.typedInput('mapType').call(node, value, options)
    const map = parsed(value)
    const hasWrong = (name) => {
      const rows = countersignTables.rowsOf(name, map[name])
      return rows !== null && countersignTables.wrongCells(name, rows).flat().length > 0
    }
    const isWrong = !countersignTables.isObject(map) || Object.keys(countersignTables.TABLES).some(hasWrong)
    return !isWrong || text('map.invalid')
  }

  return { show, isRight }
})()
