/** What only the form of the configuration node does: it tries what is typed, opens pages, and warns. */
/* global RED, $, countersign */
window.countersignService = (() => {
  const text = (key) => countersign.text(key)
  const PASSWORD = '__PWRD__'

  /** What is typed, as it would be stored. A choice that is none is empty. */
  function typed(node) {
    const names = Object.keys(node._def.defaults)
    const entries = names
      .map((name) => [name, countersign.now(node, name)])
      .map(([name, value]) => [name, value === '_ADD_' ? '' : value])
    const apiKey = $('#node-config-input-apiKey').val()
    return { properties: Object.fromEntries(entries), ...(apiKey !== PASSWORD && { apiKey }) }
  }

  /** The button that tries the settings. What it found holds until something in the form is edited. */
  function trial(node) {
    const result = $('#countersign-test-result')
    let latest = 0
    const say = (key) => result.empty().append($('<li>').text(text(`test.${key}`)))
    result.closest('.red-ui-tray').on('input change', () => {
      latest += 1
      if (result.children().length > 0) say('edited')
    })
    $('#countersign-test').on('click', () => {
      latest += 1
      const asked = latest
      const ifLatest = (show) => (answer) => asked === latest && show(answer)
      say('asking')
      $.ajax({
        method: 'POST',
        url: `countersign/services/${encodeURIComponent(node.id)}/test`,
        contentType: 'application/json',
        data: JSON.stringify(typed(node)),
        dataType: 'json',
      }).then(
        ifLatest((rows) => result.empty().append(rows.map(line))),
        ifLatest(({ status }) => say(status === 401 || status === 403 ? 'notAllowed' : 'noAnswer')),
      )
    })
  }

  const line = ({ what, ok, advice }) =>
    $('<li>')
      .addClass(ok ? 'countersign-ok' : 'countersign-failed')
      .append(
        $('<i>').addClass(ok ? 'fa fa-check' : 'fa fa-times'),
        $('<b>').text(` ${text(`test.what.${what}`)}: ${text(ok ? 'test.ok' : 'test.failed')}`),
        advice ? $('<span>').text(` – ${advice}`) : '',
      )

  /** The pages of the embedded service, while it runs and where this browser reaches them. */
  function pages(node) {
    const links = $('#countersign-pages').hide()
    const hint = $('#countersign-no-pages')
    const say = (key) => hint.text(text(`pages.${key}`))
    const from = `pages?from=${encodeURIComponent(location.hostname)}`
    countersign.ask('GET', node.id, from).then(
      (addresses) => {
        if (!addresses.runs) return say('notRunning')
        if (!addresses.inbox) return say('notReachable')
        for (const link of links.find('a').get()) link.href = addresses[link.dataset.page]
        links.show()
      },
      () => say('notRunning'),
    )
  }

  /** Shows what somebody has to know about settings that are allowed only on purpose, while they are typed. */
  function warnings() {
    const field = (name) => $(`#node-config-input-${name}`)
    const update = () => {
      const isHost = field('mode').val() === 'host'
      const bindHost = (field('bindHost').val() || '127.0.0.1').replace(/^::1$/, '[::1]')
      const url = countersign.parsed(field('baseUrl').val())
      const isClear = url?.protocol === 'http:' && !countersign.isLoopback(url.hostname)
      $('#countersign-clear-text').toggle(isHost && (isClear || Boolean(field('httpHosts').val())))
      $('#countersign-exposed').toggle(!isHost && !countersign.isLoopback(bindHost))
    }
    for (const name of ['mode', 'baseUrl', 'httpHosts', 'bindHost']) field(name).on('input change', update)
    update()
  }

  return { trial, pages, warnings }
})()
