/**
 * Shared by the forms of the Countersign nodes in the editor: typed inputs and validation. It never sees a key: it asks
 * Node-RED, which asks the service. Loaded once, by the html of the configuration node.
 */
/* global RED, $ */
window.countersign = (() => {
  const CATALOGUE = '@countersign/node-red-document-signature/service'
  const KINDS = ['msg', 'str', 'jsonata', 'flow', 'global', 'env']
  /** Kinds that can give an array. */
  const LIST_KINDS = ['msg', 'json', 'jsonata', 'flow', 'global', 'env']

  /** A text of the catalogue that all nodes share. */
  const text = (key, values) => RED._(`${CATALOGUE}:${key}`, values)

  /** Asks the deployed configuration node. The URL is relative to the admin root, so that the editor sends its token along. */
  const ask = (method, serviceId, what) =>
    $.ajax({
      method,
      url: `countersign/services/${encodeURIComponent(serviceId)}/${what}`,
      dataType: 'json',
      cache: false,
    })

  /** Posts JSON to Node-RED. The URL is relative to the admin root, as well. */
  const post = (url, body) =>
    $.ajax({ method: 'POST', url, contentType: 'application/json', data: JSON.stringify(body), dataType: 'json' })

  /** The service that is chosen in the open form, as its own or for its lists alone. */
  const chosenService = () => $('#node-input-service, #countersign-map-service').val()

  /** Chooses the service for a node without one, if there is only one; otherwise a person chooses. */
  function chooseService() {
    const select = $('#node-input-service')
    const services = select.find('option').filter((_, { value }) => value !== '_ADD_' && value !== '')
    if (services.length === 1 && (select.val() === '_ADD_' || !select.val()))
      select.val(services.val()).trigger('change')
  }

  /**
   * Makes typed every input whose kind the node stores alongside it, as `taskId` and `taskIdType`. It takes the usual kinds, unless
   * `kindsOf` names others: `{ annotations: ['msg', 'json'] }`.
   */
  function typedInputs(node, kindsOf = {}) {
    const { defaults } = node._def
    for (const name of Object.keys(defaults).filter((property) => `${property}Type` in defaults)) {
      const kind = node[`${name}Type`]
      // As wide as the plain inputs, whatever the width of the tray when the form opens.
      const input = $(`#node-input-${name}`).css('width', '70%')
      const typeField = $(`<input type="hidden" id="node-input-${name}Type">`).val(kind).insertAfter(input)
      input.typedInput({ default: kind || 'msg', types: kindsOf[name] ?? KINDS, typeField })
    }
  }

  /** The usual kinds, with plain text replaced by another kind: fixed words, or what the service offers. */
  const withText = (kind) => KINDS.map((usual) => (usual === 'str' ? kind : usual))
  const oneOf = (words) => ({
    value: 'str',
    label: text('editor.choice'),
    icon: 'fa fa-caret-square-o-down',
    options: words.map((word) => ({ value: word, label: word || text('editor.any') })),
  })

  /** Shows only the parts of a form that belong to the chosen values of its selects: `data-when="source=fields"`. */
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

  /** Returns the value of a field while the node's form is open; otherwise what the node has stored. */
  function now(node, name) {
    const isOpen = RED.editor.getEditStack().at(-1) === node
    const field = isOpen ? $(`#node-input-${name}, #node-config-input-${name}`) : $()
    if (field.length === 0) return node[name]
    return field.is(':checkbox') ? field.prop('checked') : field.val()
  }

  /**
   * Validates a typed input: it can be evaluated, and is not empty if needed. By default it is needed unless the whole body is
   * taken from the message. Returns true, or the text of the mark.
   */
  function given(node, name, value, options, isNeeded = now(node, 'source') !== 'body') {
    if (value === '' || value === undefined) return !isNeeded || text('editor.missing')
    return RED.validators.typedInput(`${name}Type`).call(node, value, options)
  }

  /** Whether the annotations come as one value, and not from rows. */
  const takesList = (node) =>
    now(node, 'source') !== 'body' &&
    Boolean(RED.settings.countersignServiceRowLists[now(node, 'placement')]) &&
    now(node, 'annotationSource') !== 'rows'

  const wantsTemplate = (node) => now(node, 'source') !== 'body' && now(node, 'placement') === 'Template'

  /** Whether the pattern of a field holds a placeholder: `{mrn}` for `mrn`. */
  const names = (node, field, placeholder) => String(now(node, field) ?? '').includes(`{${placeholder}}`)

  /** Fills `#countersign-<group>` with a box for each word, ticked when the node has chosen it. */
  function boxes(node, group, words) {
    for (const word of words)
      $('<label class="countersign-box">')
        .append($('<input type="checkbox">').val(word).prop('checked', node[group]?.includes(word)), word)
        .appendTo(`#countersign-${group}`)
  }

  /** The words of the boxes that are ticked. */
  const ticked = (group) =>
    $(`#countersign-${group} :checked`)
      .toArray()
      .map(({ value }) => value)

  /** The editor accepts an environment variable that is the whole value: Node-RED fills it in when the flow starts. */
  const isVariable = (value) => /^\$\{[^\s{}]+\}$/.test(value)
  const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
  const parsed = (text) => (/^https?:\/\/[^\s{}]+$/i.test(text) && URL.canParse(text) ? new URL(text) : null)
  /** `allowed` are the hosts beyond this machine for which http will do, as the form has them. */
  function isUrl(value, allowed = '') {
    const url = parsed(value)
    if (url?.protocol !== 'http:') return isVariable(value) || url !== null
    return LOOPBACK.test(url.hostname) || hostsOf(allowed).includes(url.hostname) || isVariable(allowed)
  }
  const hostsOf = (text) =>
    (text || '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean)
  const isWhole = (value, least = 0, most = Number.MAX_SAFE_INTEGER) =>
    isVariable(String(value)) || (/^\d+$/.test(String(value)) && Number(value) >= least && Number(value) <= most)
  const MOST_DAYS = 3650
  const hasDays = (value) => String(value ?? '').trim() !== ''
  /** Whole numbers of days, separated by commas or spaces. */
  const areDays = (value) =>
    !hasDays(value) ||
    String(value)
      .trim()
      .split(/[\s,;]+/)
      .filter(Boolean)
      .every((part) => isWhole(part, 0, MOST_DAYS))

  const OUTPUT_PORTS = 0
  /** Validates that the outputs for what needs attention lead somewhere. Returns true, or the text of the mark. */
  function wired(node) {
    const links = RED.nodes.getNodeLinks(node.id, OUTPUT_PORTS) ?? []
    const exceptional = RED.settings.countersignServiceExceptionalOutputs?.[node.type] ?? []
    // Lists are always found.
    const possible = node.type === 'countersign-look-up' && now(node, 'what') !== 'provider' ? [] : exceptional
    const unwired = possible.filter((output) => !links.some(({ sourcePort }) => sourcePort === output))
    if (unwired.length === 0) return true
    const labels = unwired.map((output) => `${output + 1} (${node._def.outputLabels.call(node, output)})`)
    return text('invalid.unwired', { outputs: labels.join(', ') })
  }
  for (const event of ['links:add', 'links:remove'])
    RED.events.on(event, ({ source }) => {
      if (source.type in (RED.settings.countersignServiceExceptionalOutputs ?? {})) RED.editor.validateNode(source)
    })

  return {
    KINDS,
    LIST_KINDS,
    text,
    ask,
    post,
    chosenService,
    chooseService,
    typedInputs,
    withText,
    oneOf,
    showWhen,
    now,
    given,
    takesList,
    wantsTemplate,
    names,
    boxes,
    ticked,
    isVariable,
    isUrl,
    hostsOf,
    isLoopback: (host) => LOOPBACK.test(host),
    parsed,
    isWhole,
    hasDays,
    areDays,
    wired,
  }
})()
