/**
 * Ids that the service offers in the forms of the Countersign nodes: a list that opens on a click and filters while one types,
 * and a mark for an id that the service does not list. Loaded once, by the html of the configuration node, after
 * countersign-editor.js.
 */
/* global RED, $, countersign */
window.countersignOffers = (() => {
  const KINDS = {
    'document-types': ({ id, name }) => ({ value: String(id), label: name }),
    templates: ({ templateId, summary }) => ({ value: String(templateId), label: summary }),
  }
  /** The latest list of each service, by service and kind. */
  const listed = new Map()

  const key = (service, what) => `${service}/${what}`

  /** Asks the chosen service. Resolves with what it offers. */
  async function ask(what) {
    const service = countersign.chosenService()
    const options = (await countersign.ask('GET', service, what)).map(KINDS[what])
    listed.set(key(service, what), options)
    return options
  }

  /** Returns the options that contain what was typed; all of them while one of them is chosen. */
  function matching(options, typed) {
    if (options.some(({ value }) => value === typed)) return options
    const wanted = typed.toLowerCase()
    return options.filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(wanted))
  }

  /** Finds for the widget of the editor what fits what is typed. A service that does not answer offers nothing. */
  const search = (what) => (typed, done) => {
    const shown = (words) => $('<div class="countersign-offer">').text(words)
    ask(what).then(
      (options) =>
        done(matching(options, typed).map(({ value, label }) => ({ value, label: shown(`${value} – ${label}`) }))),
      () => done([]),
    )
  }

  /** The list of the widget opens when the key down is let go. */
  const openList = (input) => input.trigger($.Event('keyup', { keyCode: 40 }))

  /** Offers in a plain input what the service lists. */
  const offer = (input, what) =>
    input.autoComplete({ search: search(what), minLength: 0 }).on('click', () => openList(input))

  /** A kind of typed input that takes any text and offers what the service lists, if it answers. */
  const offered = (what) => ({
    value: 'str',
    label: countersign.text('editor.fromService'),
    icon: 'fa fa-list-ul',
    autoComplete() {
      const open = () => this.type() === 'str' && openList(this.input)
      this.input.off('click.countersign').on('click.countersign', open)
      return search(what)
    },
  })

  /** Has the ids of the open form checked against what its service lists, whichever service is chosen: `{ templateId: 'templates' }`. */
  function checkIds(inputs) {
    const check = () => {
      // A service that does not answer leaves the id without a mark.
      for (const [name, what] of Object.entries(inputs))
        ask(what).then(
          () => $(`#node-input-${name}`).trigger('change'),
          () => {},
        )
    }
    $('#node-input-service').on('change', check)
    check()
  }

  /** Validates a typed input with an id. Returns true, or the text of the mark. */
  function known(node, name, what, value, options, isNeeded) {
    const verdict = countersign.given(node, name, value, options, isNeeded)
    if (verdict !== true || !value || countersign.now(node, `${name}Type`) !== 'str') return verdict
    const offers = listed.get(key(countersign.now(node, 'service'), what))
    return !offers || offers.some((offer) => offer.value === value) || countersign.text('editor.notListed')
  }

  return { offer, offered, checkIds, known }
})()
