/**
 * Lists of rows in the forms of the Countersign nodes: names, addresses, fields. Each cell is a typed input, stored on the node
 * as `[{ family: { type, value } }]`. Loaded once, by the html of the configuration node, after countersign-editor.js.
 */
/* global RED, $, countersign, countersignPlacing */
window.countersignRows = (() => {
  /**
   * The lists and their cells: `{ family: { label, kinds?, initial?, half?, words? } }`. Two halves share a line, unless they
   * hold words and the tray is narrow.
   */
  function lists() {
    const { KINDS, oneOf, text, withText } = countersign
    const cell = (name, more) => ({ label: text(`cell.${name}`), ...more })
    const half = (name, more) => cell(name, { half: true, ...more })
    const word = (value) => ({ type: 'str', value })
    const kindOf = (words) => ({ kinds: withText(oneOf(words)), initial: word(words[0]) })
    const other = KINDS.filter((kind) => kind !== 'str')
    const number = (name, value) => half(name, { kinds: ['num', ...other], initial: { type: 'num', value } })
    const field = {
      type: half('type', { ...kindOf(RED.settings.countersignServiceFieldTypes), words: true }),
      required: half('required', { kinds: ['bool', ...other], initial: { type: 'bool', value: 'true' }, words: true }),
    }
    const filled = cell('filled', { initial: word('') })
    // An address needs only its postal code. Empty text is valid, where an empty path would not be.
    const optional = (name) => cell(name, { initial: word('') })
    const address = {
      line: optional('line'),
      city: optional('city'),
      state: optional('state'),
      postalCode: cell('postalCode'),
    }
    return {
      names: { use: cell('use', { initial: word('official') }), family: cell('family'), given: cell('given') },
      addresses: address,
      orgAddresses: address,
      identifiers: { authority: cell('authority', kindOf(['mrn', 'ssn', 'ssn4'])), value: cell('value') },
      telecoms: {
        system: cell('system', kindOf(['phone', 'email', 'fax'])),
        value: cell('value'),
        use: cell('use', kindOf(['home', 'work', 'mobile'])),
      },
      jsonAnnotations: {
        ...field,
        pageNumber: number('pageNumber', '1'),
        value: { ...filled, half: true },
        left: number('left', '72'),
        top: number('top', '600'),
        right: number('right', '252'),
        bottom: number('bottom', '636'),
      },
      textAnnotations: {
        ...field,
        referenceText: cell('referenceText', { initial: word('') }),
        offsetX: number('offsetX', '0'),
        offsetY: number('offsetY', '0'),
        value: filled,
      },
    }
  }

  function addRow(container, row, cells) {
    container.addClass('countersign-row')
    for (const [name, { label, kinds, initial, half, words }] of Object.entries(cells)) {
      const { type, value } = row[name] ?? initial ?? { type: 'msg', value: '' }
      const line = $('<div class="countersign-cell">')
        .toggleClass('countersign-half', half === true)
        .toggleClass('countersign-words', words === true)
        .appendTo(container)
      $('<label>').text(label).appendTo(line)
      $('<input type="text">')
        .addClass(`countersign-${name}`)
        .appendTo(line)
        .typedInput({ default: type, types: kinds ?? countersign.KINDS })
        .typedInput('type', type)
        .typedInput('value', value)
    }
  }

  /** Lists that need a row before anything can be sent. */
  const NEEDED = ['names', 'addresses', 'jsonAnnotations', 'textAnnotations']

  /** Puts a list with its heading into each `<div data-rows="names">` of the open form. */
  function addLists() {
    $('[data-rows]').each((_, part) => {
      const name = $(part).attr('data-rows')
      const label = $('<label>').text(countersign.text(`rows.${name}`))
      label.toggleClass('countersign-needed', NEEDED.includes(name))
      $(part)
        .addClass('form-row countersign-rows')
        .append(label, $(`<ol id="node-input-${name}-rows">`))
    })
  }

  /** The lists that the open form has. */
  const listsOfForm = () =>
    Object.entries(lists())
      .map(([name, cells]) => ({ name, cells, list: $(`#node-input-${name}-rows`) }))
      .filter(({ list }) => list.length > 0)

  /** Fills the lists of the open form with the rows that the node has stored. */
  function show(node) {
    addLists()
    for (const { name, cells, list } of listsOfForm()) {
      const mark = () => {
        const isMissing = NEEDED.includes(name) && list.editableList('length') === 0
        list.closest('.red-ui-editableList-border').toggleClass('input-error', isMissing)
      }
      list
        .editableList({
          height: 'auto',
          removable: true,
          sortable: true,
          addButton: countersign.text('editor.add'),
          addItem: (container, _index, row) => {
            addRow(container, row, cells)
            mark()
          },
          removeItem: mark,
        })
        .editableList('addItems', node[name] ?? [])
      mark()
      if (name === 'jsonAnnotations') offerPlacing(list, cells)
    }
  }

  /** Adds the button that opens the list on a sample PDF. */
  function offerPlacing(list, cells) {
    const open = () =>
      countersignPlacing.open(rowsOf(list, cells), (placed) => {
        list.editableList('empty').editableList('addItems', placed)
      })
    $('<button type="button" class="red-ui-button countersign-place">')
      .text(countersign.text('editor.placeFields'))
      .on('click', open)
      .insertBefore(list.closest('.red-ui-editableList'))
  }

  const rowOf = (item, cellNames) =>
    Object.fromEntries(
      cellNames.map((name) => {
        const input = $(item).find(`.countersign-${name}`)
        return [name, { type: input.typedInput('type'), value: input.typedInput('value') }]
      }),
    )

  const rowsOf = (list, cells) =>
    list
      .editableList('items')
      .toArray()
      .map((item) => rowOf(item, Object.keys(cells)))

  /** Stores the rows of the open form on the node. */
  function store(node) {
    for (const { name, cells, list } of listsOfForm()) node[name] = rowsOf(list, cells)
  }

  /** Validates a list of the patient: it has a row, unless the message brings the whole body. Returns true, or the text of the mark. */
  const some = ({ source }, rows) => source === 'body' || rows?.length > 0 || countersign.text('editor.noRow')

  /** Validates the list of a placement: it has a row, unless the node does not use the list. Returns true, or the text of the mark. */
  const someField = ({ source, placement, annotationSource }, wanted, rows) =>
    source === 'body' ||
    placement !== wanted ||
    annotationSource !== 'rows' ||
    rows?.length > 0 ||
    countersign.text('editor.noField')

  return { show, store, some, someField }
})()
