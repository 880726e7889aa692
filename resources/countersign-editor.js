/**
 * What the forms of the Countersign nodes share in the editor: typed inputs, lists of rows, ids offered live by the service.
 * It never sees a key: it asks Node-RED, which asks the service. Loaded once, by the configuration node's html.
 */
/* global RED, $ */
window.countersign = (() => {
  const CATALOGUE = '@countersign/node-red-document-signature/service'
  const KINDS = ['msg', 'str', 'jsonata', 'flow', 'global', 'env']
  const STATUSES = ['Received', 'Processing', 'Pending', 'Completed', 'Rejected', 'Retracted', 'Failed', 'Cancelled']

  /** A text of the catalogue that all nodes share. */
  const text = (key, values) => RED._(`${CATALOGUE}:${key}`, values)

  /** A question to the deployed configuration node. Relative, so that the admin root and the editor's token go along. */
  const ask = (method, serviceId, what) =>
    $.ajax({
      method,
      url: `countersign/services/${encodeURIComponent(serviceId)}/${what}`,
      dataType: 'json',
      cache: false,
    })

  /** The service that is chosen in the open form. */
  const chosenService = () => $('#node-input-service').val()

  /** A node without a service gets the one there is; with several, a person chooses. */
  function chooseService() {
    const select = $('#node-input-service')
    const services = select.find('option').filter((_, { value }) => value !== '_ADD_' && value !== '')
    if (services.length === 1 && (select.val() === '_ADD_' || !select.val()))
      select.val(services.val()).trigger('change')
  }

  /** A typed-input kind that takes any text and offers what the service lists; without an answer it only takes text. */
  const offered = (what, toOption) => ({
    value: 'str',
    label: text('editor.fromService'),
    icon: 'fa fa-list-ul',
    autoComplete: (typed, done) => {
      ask('GET', chosenService(), what).then(
        (rows) => {
          const wanted = typed.toLowerCase()
          const options = rows
            .map(toOption)
            .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(wanted))
          done(options.map(({ value, label }) => ({ value, label: `${value} – ${label}` })))
        },
        () => done([]),
      )
    },
  })

  const documentTypes = () => offered('document-types', ({ id, name }) => ({ value: String(id), label: name }))
  const templates = () =>
    offered('templates', ({ templateId, summary }) => ({ value: String(templateId), label: summary }))

  /** Makes the inputs of the form typed: `{ taskId: [] }` with the usual kinds, or with kinds of its own. */
  function typedInputs(inputs) {
    for (const [name, kinds] of Object.entries(inputs)) {
      const input = $(`#node-input-${name}`)
      input.typedInput({
        default: $(`#node-input-${name}Type`).val() || 'msg',
        types: kinds.length > 0 ? kinds : KINDS,
        typeField: $(`#node-input-${name}Type`),
      })
    }
  }

  /** The usual kinds, with plain text replaced by a list of fixed words or by what the service offers. */
  const withText = (kind) => KINDS.map((usual) => (usual === 'str' ? kind : usual))
  const oneOf = (words) => ({
    value: 'str',
    label: text('editor.choice'),
    icon: 'fa fa-caret-square-o-down',
    options: words.map((word) => ({ value: word, label: word || text('editor.any') })),
  })

  /**
   * A list of rows, each with one typed input per cell: `cells` is `{ family: { label, kinds?, initial?, half? } }`; two halves stand on one line. The rows are
   * stored on the node as `[{ family: { type, value } }]`; `rowsOf` reads them back.
   */
  function rows(name, stored, cells) {
    $(`#node-input-${name}-rows`)
      .editableList({
        height: 'auto',
        removable: true,
        sortable: true,
        addButton: text('editor.add'),
        addItem(container, _index, row) {
          container.addClass('countersign-row')
          for (const [cell, { label, kinds, initial, half }] of Object.entries(cells)) {
            const { type, value } = row[cell] ?? initial ?? { type: 'msg', value: '' }
            const line = $('<div class="countersign-cell">')
              .toggleClass('countersign-half', half === true)
              .appendTo(container)
            $('<label>').text(label).appendTo(line)
            $('<input type="text">')
              .addClass(`countersign-${cell}`)
              .appendTo(line)
              .typedInput({ default: type, types: kinds ?? KINDS })
              .typedInput('type', type)
              .typedInput('value', value)
          }
        },
      })
      .editableList('addItems', stored ?? [])
  }

  const rowsOf = (name, cellNames) =>
    $(`#node-input-${name}-rows`)
      .editableList('items')
      .toArray()
      .map((item) =>
        Object.fromEntries(
          cellNames.map((cell) => {
            const input = $(item).find(`.countersign-${cell}`)
            return [cell, { type: input.typedInput('type'), value: input.typedInput('value') }]
          }),
        ),
      )

  /** The lists of the create node, with the texts of its catalogue. */
  function taskLists(say) {
    const cell = (name, more) => ({ label: say(`cell.${name}`), ...more })
    const word = (value) => ({ type: 'str', value })
    const kindOf = (words) => ({ kinds: withText(oneOf(words)), initial: word(words[0]) })
    const other = KINDS.filter((kind) => kind !== 'str')
    const half = (name, more) => cell(name, { half: true, ...more })
    const number = (name, value) => half(name, { kinds: ['num', ...other], initial: { type: 'num', value } })
    const field = {
      type: half('type', kindOf(['VisibleSignature', 'DateSigned', 'TextArea', 'CheckBox'])),
      required: half('required', { kinds: ['bool', ...other], initial: { type: 'bool', value: 'true' } }),
    }
    const filled = cell('filled', { initial: word('') })
    const address = { line: cell('line'), city: cell('city'), state: cell('state'), postalCode: cell('postalCode') }
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
        ...{ pageNumber: number('pageNumber', '1'), value: { ...filled, half: true } },
        ...{ left: number('left', '72'), top: number('top', '600') },
        ...{ right: number('right', '252'), bottom: number('bottom', '636') },
      },
      textAnnotations: {
        ...field,
        referenceText: cell('referenceText', { initial: word('') }),
        ...{ offsetX: number('offsetX', '0'), offsetY: number('offsetY', '0') },
        value: filled,
      },
    }
  }

  /** Shows the parts of a form that belong to the chosen value of a select: `data-when="source=fields"`. */
  function showWhen(prefix, names) {
    for (const name of names) {
      const update = () => {
        const value = $(`#${prefix}-${name}`).val()
        $(`[data-when^="${name}="]`).each((_, part) => {
          $(part).toggle(
            $(part)
              .attr('data-when')
              .slice(name.length + 1)
              .split('|')
              .includes(value),
          )
        })
      }
      $(`#${prefix}-${name}`).on('change', update)
      update()
    }
  }

  /** Whether the list of a placement has what it needs: a row, unless the node does not use the list. */
  const hasRows = ({ source, placement, annotationSource }, wanted, rows) =>
    source !== 'fields' || placement !== wanted || annotationSource !== 'rows' || rows.length > 0

  /** Environment variables are filled in when the flow starts, so the editor lets them pass. */
  const isVariable = (value) => /\$\{\w+\}/.test(value)
  const isUrl = (value) =>
    isVariable(value) || /^https:\/\/\S+$/.test(value) || /^http:\/\/(localhost|127\.|\[::1\])\S*$/.test(value)
  const isWhole = (value, least = 0, most = Number.MAX_SAFE_INTEGER) =>
    isVariable(String(value)) || (/^\d+$/.test(String(value)) && Number(value) >= least && Number(value) <= most)

  return {
    STATUSES,
    text,
    ask,
    chooseService,
    documentTypes,
    templates,
    typedInputs,
    withText,
    oneOf,
    rows,
    rowsOf,
    taskLists,
    hasRows,
    showWhen,
    isUrl,
    isWhole,
  }
})()
