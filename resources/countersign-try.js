/**
 * The part "Try" of the forms that map messages: what would become of a message, by the map as it is typed. The message is posted
 * to Node-RED, and is no part of the node. Loaded once, by the html of the configuration node.
 */
/* global $, countersign */
window.countersignTry = (() => {
  const text = (...given) => countersign.text(...given)

  const SAMPLES = {
    hl7: ['mdm-t02.hl7', 'mdm-t11.hl7', 'oru-r01.hl7', 'orm-o01.hl7'],
    fhir: ['document-reference.json', 'service-request.json'],
  }
  const urlOf = (sample) => `resources/@countersign/node-red-document-signature/samples/${sample}`

  /** Fills `#countersign-try` of the open form, whose messages are of this kind: `hl7` or `fhir`. */
  function show(kind) {
    const part = $('#countersign-try')
    $('<p>')
      .text(text(`try.tip.${kind}`))
      .appendTo(part)
    const row = (name, control) =>
      $('<div class="form-row">')
        .append(
          $('<label>')
            .attr('for', control.attr('id'))
            .text(text(`try.${name}`)),
          control,
        )
        .appendTo(part)
    const sample = $('<select id="countersign-try-sample" class="countersign-wide">').append(
      ['', ...SAMPLES[kind]].map((name) =>
        $('<option>')
          .val(name)
          .text(text(`try.samples.${name.split('.')[0] || 'none'}`)),
      ),
    )
    const message = $('<textarea id="countersign-try-message" rows="6" spellcheck="false" autocomplete="off">')
    row('sample', sample)
    row('message', message).addClass('countersign-code')
    const button = $('<button type="button" class="red-ui-button" id="countersign-try-go">').text(text('try.go'))
    $('<div class="form-row">').append($('<label>'), button).appendTo(part)
    const result = $('<div id="countersign-try-result" role="status">').appendTo(part)

    sample.on('change', () => {
      if (sample.val() === '') return
      $.ajax({ url: urlOf(sample.val()), dataType: 'text' }).then((found) => message.val(found).trigger('input'))
    })
    trial({ kind, message, button, result })
  }

  /** A result holds until the map or the message is edited. */
  function trial({ kind, message, button, result }) {
    let latest = 0
    const say = (key) => result.empty().append($('<p>').text(text(`try.${key}`)))
    result.closest('.red-ui-tray').on('input change', () => {
      latest += 1
      if (result.children().length > 0) say('edited')
    })
    button.on('click', () => {
      latest += 1
      const asked = latest
      const ifLatest = (tell) => (answer) => asked === latest && tell(answer)
      const map = $('#node-input-map')
      if (map.typedInput('type') !== 'json') return say('mapElsewhere')
      say('asking')
      countersign.post('countersign/mapping/try', { kind, map: map.typedInput('value'), message: message.val() }).then(
        ifLatest((found) => tell(result, found)),
        ifLatest(({ status }) => say(refusal(status))),
      )
    })
  }

  const REFUSALS = { 401: 'notAllowed', 403: 'notAllowed', 413: 'tooLong' }
  /** The text that tells of an answer with this status. */
  const refusal = (status) => REFUSALS[status] ?? 'noAnswer'

  /** Values of the message are written as text, never as html. */
  function tell(result, { becomes, fields, warnings, reasons }) {
    const isGood = becomes !== 'held' && becomes !== 'wrongMap'
    result.empty().append(
      $('<p>')
        .addClass(isGood ? 'countersign-ok' : 'countersign-failed')
        .append($('<i aria-hidden="true">').addClass(isGood ? 'fa fa-check' : 'fa fa-times'))
        .append($('<b>').text(` ${text(`try.becomes.${becomes}`)}`)),
      list(reasons),
    )
    if (warnings.length > 0) result.append($('<h4>').text(text('try.warnings')), list(warnings))
    if (fields.length > 0) result.append(table(fields))
  }

  const list = (sentences) => $('<ul>').append(sentences.map((sentence) => $('<li>').text(sentence)))

  function table(fields) {
    const cells = (tag, texts) => $('<tr>').append(texts.map((words) => $(`<${tag}>`).text(words)))
    const head = cells(
      'th',
      ['field', 'value', 'from'].map((name) => text(`try.column.${name}`)),
    )
    const rows = fields.map(({ field, value, from }) => cells('td', [field, value, from]))
    return $('<table class="countersign-table">').append($('<thead>').append(head), $('<tbody>').append(rows))
  }

  return { show, refusal }
})()
