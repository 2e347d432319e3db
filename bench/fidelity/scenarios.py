# SPDX-License-Identifier: Apache-2.0
"""Pages that change, and what is done to them.

A step is one of
    ("js", source)             the page changes by itself
    ("click", name)            by the ref that the reader's own copy shows
    ("fill", name, text)
    ("type", name, text)
    ("select", name, option)
    ("press", name, key)
and `holds` / `lacks` are literals that the reader's copy must, or must not,
hold in the end. `words` says whether the words of the page as Chromium draws
it can be had from the top document alone.
"""
import dataclasses


@dataclasses.dataclass
class Scenario:
    name: str
    html: str
    steps: list
    holds: list = dataclasses.field(default_factory=list)
    lacks: list = dataclasses.field(default_factory=list)
    files: dict = dataclasses.field(default_factory=dict)
    words: bool = True
    budget: int | None = None
    volatile: bool = False


def rows(count, first=1):
    return "".join(
        f"<li data-id=r{i}><span>Item {i}</span> <a href=/p/{i}>Widget {i}"
        f"</a> <button>Add</button> <button>Delete</button></li>"
        for i in range(first, first + count))


def js(*sources):
    return [("js", source) for source in sources]


def clicks(*names):
    return [("click", name) for name in names]


SCENARIOS = [
    Scenario(
        "typing",
        "<h1>Order</h1><label>Name <input name=who></label>"
        "<label>Note <textarea name=note></textarea></label>"
        "<label>Mail <input type=email name=mail required></label>"
        "<p id=echo>nothing yet</p><script>who.oninput = () =>"
        " echo.textContent = 'Hello ' + who.value</script>".replace(
            "who.", "document.querySelector('[name=who]')."),
        [("type", "Name", "Ada"), ("type", "Name", " Lovelace"),
         ("fill", "Note", "first\nsecond"), ("fill", "Mail", "a@example.org"),
         ("fill", "Name", "Grace"), ("fill", "Note", ""),
         ("press", "Name", "End"), ("type", "Name", " H"),
         ("js", "document.querySelector('[name=note]').value = 'by script'"),
         ("fill", "Mail", "")],
        holds=["Hello Grace H", "by script"], lacks=["Ada", "second"]),
    Scenario(
        "toggles",
        "<label><input type=checkbox id=a> Alpha</label>"
        "<label><input type=radio name=r value=1> One</label>"
        "<label><input type=radio name=r value=2> Two</label>"
        "<details><summary>More</summary><p>Inside the details</p></details>"
        "<button id=t aria-expanded=false>Menu</button><ul id=m hidden>"
        "<li><a href=/x>Entry X</a></li><li><a href=/y>Entry Y</a></li></ul>"
        "<button id=p aria-pressed=false>Bold</button><script>"
        "t.onclick = () => { m.hidden = !m.hidden;"
        " t.setAttribute('aria-expanded', !m.hidden) };"
        "p.onclick = () => p.setAttribute('aria-pressed',"
        " p.getAttribute('aria-pressed') !== 'true')</script>",
        clicks("Alpha", "One", "Two", "More", "Menu", "Bold", "Alpha", "More",
               "Menu", "Bold", "More", "Menu")
        + js("a.indeterminate = true", "a.indeterminate = false"),
        holds=["Inside the details", "Entry X"]),
    Scenario(
        "full re-render",
        "<div id=app></div><script>let n = 0, done = new Set();"
        "function draw() { n++; app.innerHTML = '<h2>Tasks</h2><ul>' +"
        " ['milk','bread','tea','salt'].map(x => `<li data-id=${x}>${x} "
        "${done.has(x) ? '(done)' : ''}<button onclick=\"done.add('${x}');"
        "draw()\">Finish</button></li>`).join('') + `</ul><p>Drawn ${n}"
        " times</p>` } draw()</script>",
        js("draw()", "done.add('tea'); draw()", "draw()",
           "done.clear(); draw()", "done.add('milk'); done.add('salt'); draw()",
           "draw()", "draw()", "done.add('bread'); draw()"),
        holds=["milk (done)", "Drawn 9 times"], lacks=["Drawn 8"]),
    Scenario(
        "filter and back",
        f"<ul id=l>{rows(14)}</ul><script>function only(f) {{ for (const li of"
        " l.children) li.hidden = !f(li) }</script>",
        js("only(li => /Item 1/.test(li.textContent))", "only(li => true)",
           "only(li => /Item 7/.test(li.textContent))",
           "only(li => false)", "only(li => true)",
           "only(li => /[24680]$/.test(li.dataset.id))", "only(li => true)"),
        holds=["Item 14", "Widget 3"]),
    Scenario(
        "reorder", f"<ul id=l>{rows(12)}</ul>",
        js("l.append(l.firstElementChild)", "l.prepend(l.lastElementChild)",
           "l.insertBefore(l.children[8], l.children[2])",
           "for (const c of [...l.children].reverse()) l.append(c)",
           "l.insertBefore(l.children[3], l.children[9])",
           "l.append(l.children[5], l.children[0])",
           "for (const c of [...l.children].sort((a, b) => a.dataset.id <"
           " b.dataset.id ? -1 : 1)) l.append(c)"),
        holds=["Item 12"]),
    Scenario(
        "prepend", f"<ul id=l>{rows(6)}</ul><script>let n = 100; function add()"
        " { const li = document.createElement('li'); li.dataset.id = 'r' + ++n;"
        " li.innerHTML = `<span>Item ${n}</span> <a href=/p/${n}>Widget ${n}"
        "</a> <button>Add</button> <button>Delete</button>`; l.prepend(li) }"
        "</script>",
        js(*["add()"] * 5, "l.lastElementChild.remove()", "add(); add(); add()",
           "l.children[3].remove()"),
        holds=["Item 108", "Item 5"], lacks=["Item 6\""]),
    Scenario(
        "streaming log", "<h1>Log</h1><div id=g role=log></div>",
        js(*[f"for (let i = 0; i < 3; i++) {{ const p = document.createElement"
             f"('p'); p.textContent = 'line {k} ' + i; g.append(p) }}"
             for k in range(10)],
           "while (g.children.length > 5) g.firstChild.remove()"),
        holds=["line 9 2"], lacks=["line 3 0"]),
    Scenario(
        "virtual list",
        "<div id=v style='height:200px;overflow:auto'><div id=s style='height:"
        "20000px;position:relative'></div></div><script>function draw() {"
        " const from = Math.floor(v.scrollTop / 20); s.innerHTML = '';"
        " for (let i = from; i < from + 10; i++) { const d = document."
        "createElement('div'); d.style = `position:absolute;top:${i * 20}px`;"
        " d.innerHTML = `Row ${i} <button>Open</button>`; s.append(d) } }"
        "v.onscroll = draw; draw()</script>",
        js(*[f"v.scrollTop = {top}; draw()" for top in
             (20, 60, 100, 400, 4000, 4020, 0, 200, 19800)]),
        holds=["Row 990"], lacks=["Row 10 "]),
    Scenario(
        "table sort",
        "<table id=t><caption>People</caption><thead><tr><th><button onclick="
        "'by(0)'>Name</button></th><th><button onclick='by(1)'>Age</button>"
        "</th></tr></thead><tbody id=b><tr><td>Cid</td><td>31</td></tr><tr><td>"
        "Ann</td><td>40</td></tr><tr><td>Bob</td><td>22</td></tr><tr><td>Dot"
        "</td><td>27</td></tr></tbody></table><script>function by(k) { const r"
        " = [...b.rows]; r.sort((x, y) => x.cells[k].textContent < y.cells[k]."
        "textContent ? -1 : 1); b.append(...r) }</script>",
        clicks("Name", "Age", "Name")
        + js("b.rows[1].cells[1].textContent = '99'", "b.rows[0].remove()")
        + clicks("Age") + js("b.innerHTML = ''",
                             "b.innerHTML = '<tr><td>Eve<td>1'"),
        holds=["Eve"], lacks=["Ann", "Bob"]),
    Scenario(
        "tab panels",
        "<div role=tablist><button role=tab aria-selected=true id=t0 aria-"
        "controls=p0>General</button><button role=tab aria-selected=false id=t1"
        " aria-controls=p1>Network</button></div><div role=tabpanel id=p0 aria-"
        "labelledby=t0>General things <a href=/g>Guide</a></div><div role="
        "tabpanel id=p1 aria-labelledby=t1 hidden>Network things <label>Proxy "
        "<input></label></div><script>for (const i of [0, 1]) document."
        "getElementById('t' + i).onclick = () => { for (const j of [0, 1]) {"
        " document.getElementById('p' + j).hidden = i !== j; document."
        "getElementById('t' + j).setAttribute('aria-selected', i === j) } }"
        "</script>",
        clicks("Network") + [("fill", "Proxy", "localhost:8080")]
        + clicks("General", "Network", "General"),
        holds=["General things", "Guide"], lacks=["Network things"]),
    Scenario(
        "modal",
        "<h1>Files</h1><button id=o>Remove all</button><p id=s>3 files</p>"
        "<dialog id=d><h2>Are you sure?</h2><p>This cannot be undone.</p>"
        "<button onclick='d.close()'>Cancel</button><button onclick=\"d.close()"
        ";s.textContent='no files'\">Remove</button></dialog><script>o.onclick"
        " = () => d.showModal()</script>",
        clicks("Remove all", "Cancel", "Remove all", "Remove"),
        holds=["no files"], lacks=["Are you sure"]),
    Scenario(
        "popover",
        "<button popovertarget=q>Help</button><div id=q popover><p>Press F1."
        "</p><a href=/help>Manual</a></div><p>Text</p>",
        clicks("Help", "Help", "Help") + js("q.hidePopover()",
                                             "q.showPopover()"),
        holds=["Press F1."]),
    Scenario(
        "frames come and go",
        "<h1>Top</h1><div id=w></div><script>function put(n, html) { const f ="
        " document.createElement('iframe'); f.id = n; f.name = n; f.title = n;"
        " f.srcdoc = html; w.append(f); return new Promise(ok => f.onload ="
        " () => ok(1)) }</script>",
        js("await put('one', '<button>In one</button>')",
           "await put('two', '<p>In two</p><a href=/t>Link two</a>')",
           "document.getElementById('one').contentDocument.body.append("
           "'more text')", "document.getElementById('one').remove()",
           "await put('three', '<label>Field <input></label>')",
           "document.getElementById('two').style.display = 'none'",
           "document.getElementById('two').style.display = ''",
           "document.getElementById('three').contentDocument.querySelector("
           "'input').value = 'typed'")
        + [("fill", "Field", "by hand")],
        holds=["Link two", "by hand"], lacks=["In one"], words=False),
    Scenario(
        "foreign frame",
        "<h1>Top</h1><iframe id=f title=shop src=\"{foreign}/shop\"></iframe>"
        "<p id=s>waiting</p>",
        clicks("Buy", "Buy") + js("s.textContent = 'still here'")
        + clicks("Buy") + js("f.remove()", "s.textContent = 'frame gone'"),
        files={"/shop": "<h2>Shop</h2><button id=b>Buy</button><p id=n>0 bought"
               "</p><script>let k = 0; b.onclick = () => n.textContent = ++k +"
               " ' bought'</script>"},
        holds=["frame gone"], lacks=["bought", "Shop"], words=False),
    Scenario(
        "nested frames",
        "<iframe title=outer src=/outer></iframe>",
        clicks("Deep") + clicks("Middle") + clicks("Deep"),
        files={"/outer": "<button onclick=\"this.after(' pressed')\">Middle"
               "</button><iframe title=inner src=/inner></iframe>",
               "/inner": "<button onclick=\"this.textContent='Deep'; p."
               "textContent += 'x'\">Deep</button><p id=p>deep </p>"},
        holds=["deep xx", "pressed"], words=False),
    Scenario(
        "open shadow",
        "<x-card id=c></x-card><script>customElements.define('x-card', class"
        " extends HTMLElement { connectedCallback() { this.n = 0; this."
        "attachShadow({mode: 'open'}).innerHTML = '<button>Count</button><p>0"
        "</p><slot></slot>'; this.shadowRoot.querySelector('button').onclick ="
        " () => this.shadowRoot.querySelector('p').textContent = ++this.n } })"
        "</script>",
        clicks("Count", "Count") + js("c.textContent = 'slotted words'",
                                       "c.innerHTML = '<a href=/s>Slotted</a>'",
                                       "c.shadowRoot.querySelector('slot')."
                                       "remove()") + clicks("Count"),
        holds=["\"3\""], lacks=["Slotted"], words=False),
    Scenario(
        "slots",
        "<div id=h><span slot=a>first words</span><span slot=b>second words"
        "</span></div><script>h.attachShadow({mode: 'open'}).innerHTML ="
        " '<section aria-label=A><slot name=a></slot></section><section aria-"
        "label=B><slot name=b>nothing here</slot></section>'</script>",
        js("h.children[0].slot = 'b'", "h.children[0].slot = 'a'",
           "h.children[1].slot = 'c'", "h.children[1].slot = 'b'",
           "h.append(Object.assign(document.createElement('button'),"
           " {slot: 'a', textContent: 'Slotted button'}))"),
        holds=["first words", "Slotted button"], lacks=["nothing here"],
        words=False),
    Scenario(
        "clock",
        "<h1>Board</h1><p id=c>12:00:00</p><button id=b>Go</button><p id=s>idle"
        "</p><script>let t = 0; function tick() { t++; c.textContent = '12:00:'"
        " + String(t).padStart(2, '0') } b.onclick = () => { tick(); s."
        "textContent = 'went ' + t }</script>",
        js("tick()", "tick()", "tick()") + clicks("Go", "Go")
        + js("tick()", "tick()") + clicks("Go"),
        holds=["went 8"], lacks=["idle"], volatile=True),
    Scenario(
        "pushState",
        "<nav><a href=/a>A</a><a href=/b>B</a></nav><h1 id=h>Home</h1><script>"
        "document.querySelector('nav').onclick = e => { e.preventDefault();"
        " history.pushState({}, '', e.target.href); h.textContent = 'Page ' +"
        " e.target.textContent; document.title = h.textContent }</script>",
        clicks("A", "B") + js("history.replaceState({}, '', '/c?q=1')")
        + clicks("A") + js("document.title = 'Other'"),
        holds=["Page A", "Other", "/a"], lacks=["Home"]),
    Scenario(
        "link retargeted", "<p><a id=x href=/old>Invoice</a> <a href=/other>"
        "Other</a></p>",
        js("x.href = '/new'", "x.href = 'https://example.org/far'",
           "x.removeAttribute('href')", "x.href = '/back?a=1#frag'"),
        holds=["/back?a=1"], lacks=["/old", "example.org"]),
    Scenario(
        "select cascade",
        "<label>Country <select id=k><option>France<option>Japan</select>"
        "</label><label>Town <select id=t></select></label><script>const m ="
        " {France: ['Paris', 'Lyon'], Japan: ['Tokyo', 'Osaka', 'Kyoto']};"
        "function fill() { t.innerHTML = m[k.value].map(x => `<option>${x}`)."
        "join('') } k.onchange = fill; fill()</script>",
        [("select", "Country", "Japan"), ("select", "Town", "Osaka"),
         ("select", "Country", "France"), ("select", "Town", "Lyon"),
         ("js", "t.selectedIndex = 0"), ("select", "Country", "Japan")],
        holds=["Kyoto"], lacks=["Lyon"]),
    Scenario(
        "inert and disabled",
        "<div id=w><fieldset id=f><label>In <input></label><button>Send"
        "</button></fieldset></div><button id=o>Outside</button>",
        js("f.disabled = true", "f.disabled = false", "w.inert = true",
           "w.inert = false", "o.disabled = true",
           "document.querySelector('input').readOnly = true",
           "o.setAttribute('aria-disabled', 'true')", "o.disabled = false"),
        holds=["Outside", "Send"]),
    Scenario(
        "hidden by class",
        "<style>.off .x { display: none } .dim .y { visibility: hidden } .a + "
        ".z { display: none } .p:has(.q) .r { display: none }</style><div id=w>"
        "<p class=x>ex <button>Ex</button></p><p class=y>why</p><p id=n>en</p>"
        "<p class=z>zet</p><section class=p><b id=h>aitch</b><p class=r>are</p>"
        "</section></div>",
        js("w.className = 'off'", "w.className = 'dim'", "w.className = ''",
           "n.className = 'a'", "n.className = ''", "h.className = 'q'",
           "h.className = ''", "w.className = 'off dim'"),
        holds=["zet", "are"], lacks=["\"why\"", "Ex"]),
    Scenario(
        "style sheets",
        "<style id=s>.gone { display: none }</style><p class=k>kay</p><p class="
        "l>ell</p><p class=gone>gone text</p>",
        js("s.sheet.insertRule('.k { display: none }')",
           "s.sheet.deleteRule(0)", "s.sheet.disabled = true",
           "s.sheet.disabled = false",
           "const c = new CSSStyleSheet(); c.replaceSync('.l { display: none"
           " }'); document.adoptedStyleSheets = [c]",
           "document.adoptedStyleSheets = []",
           "s.sheet.cssRules[0].style.display = 'block'"),
        holds=["gone text", "kay", "ell"]),
    Scenario(
        "twins",
        "<div id=w>" + "<div><button>Delete</button></div>" * 6 + "</div>",
        js("w.children[2].remove()", "w.append(w.firstElementChild.cloneNode("
           "true))", "w.lastElementChild.remove(); w.lastElementChild.remove()",
           "w.prepend(w.lastElementChild)",
           "w.innerHTML = '<div><button>Delete</button></div>'.repeat(6)"),
        holds=["Delete"]),
    Scenario(
        "rows with names",
        "<ul id=l><li>Ann <button>Edit</button><li>Bob <button>Edit</button>"
        "<li>Cid <button>Edit</button></ul>",
        js("l.children[1].remove()", "l.children[0].firstChild.data = 'Anna '",
           "l.innerHTML = '<li>Anna <button>Edit</button><li>Dot <button>Edit"
           "</button>'", "l.append(l.children[0])",
           "[l.children[0].firstChild.data, l.children[1].firstChild.data] ="
           " ['Anna ', 'Dot ']"),
        holds=["Anna", "Dot"], lacks=["Bob", "Cid"]),
    Scenario(
        "budget cuts", f"<h1>Long</h1><ul id=l>{rows(200)}</ul><p id=e>end</p>",
        js("l.children[1].firstChild.textContent = 'Item changed'",
           "l.children[190].remove()", "l.children[0].remove()",
           "document.querySelector('h1').textContent = 'Longer'",
           "l.append(l.children[150].cloneNode(true))"),
        holds=["Longer", "Item changed"], words=False, budget=1500),
    Scenario(
        "editor",
        "<div id=d contenteditable role=textbox aria-label=Text><p>First</p>"
        "</div><p id=n>0 words</p><script>d.oninput = () => n.textContent = d."
        "textContent.trim().split(/\\s+/).length + ' words'</script>",
        [("type", "Text", " one"), ("type", "Text", " two"),
         ("js", "d.innerHTML = '<p>Rewritten</p><p>twice</p>'"),
         ("fill", "Text", "all new"), ("type", "Text", " end")],
        holds=["all new end"], lacks=["Rewritten"]),
    Scenario(
        "names change",
        "<button id=a aria-label=Play>x</button><h2 id=h>Head</h2><div id=g"
        " role=group aria-labelledby=h><button>Inside</button></div><img id=i"
        " alt=Cat src='data:,'><label id=q for=f>Field</label><input id=f"
        " placeholder=hint>",
        js("a.setAttribute('aria-label', 'Pause')", "h.textContent = 'Heading'",
           "i.alt = 'Dog'", "q.textContent = 'Renamed'", "q.htmlFor = ''",
           "a.removeAttribute('aria-label')", "h.outerHTML ="
           " '<h3 id=h>Deeper</h3>'", "document.getElementById('i').remove()"),
        holds=["Deeper", "hint"], lacks=["Pause", "Dog"], words=False),
    Scenario(
        "inline pieces",
        "<p id=p>One <b>two</b> three <a href=/f>four</a> five</p>",
        js("p.querySelector('b').textContent = 'TWO'", "p.append(' six')",
           "p.firstChild.data = 'Uno '", "p.querySelector('a').replaceWith("
           "'plain')", "p.normalize()", "p.innerHTML = 'a<br>b<i>c</i>'",
           "p.querySelector('i').style.display = 'block'"),
        holds=["\"c\""], lacks=["four", "five"], words=False),
    Scenario(
        "validation",
        "<form><label>Age <input id=a type=number required min=1></label>"
        "<p id=m role=alert></p><button type=button id=b>Check</button></form>"
        "<script>b.onclick = () => { const bad = !a.checkValidity(); a."
        "setAttribute('aria-invalid', bad); m.textContent = bad ? 'Age is"
        " missing' : 'Fine' }</script>",
        clicks("Check") + [("fill", "Age", "7")] + clicks("Check")
        + [("fill", "Age", "")] + clicks("Check"),
        holds=["Age is missing"], lacks=["Fine"]),
    Scenario(
        "long page of parts",
        "".join(f"<section aria-label=Part{i}><h2>Part {i}</h2><p>Words of part"
                f" {i}.</p><button>Act {i}</button></section>"
                for i in range(30)),
        js(*[f"document.querySelectorAll('p')[{i}].textContent = 'New words"
             f" {i}.'" for i in (3, 29, 0)],
           "document.querySelectorAll('section')[10].remove()",
           "document.body.append(document.querySelectorAll('section')[4])",
           "for (const b of document.querySelectorAll('button')) b.disabled"
           " = true"),
        holds=["New words 29."], lacks=["Part 10\""]),
    Scenario(
        "status at the end of a table",
        "<table>" + "".join(
            f"<tr><td>Host {i}</td><td id=s{i}>up</td><td><button id=b{i}>"
            f"Restart</button></td></tr>" for i in range(25))
        + "</table><script>for (let i = 0; i < 25; i++) document.getElementById"
        "('b' + i).onclick = () => document.getElementById('s' + i).textContent"
        " = 'restarting'</script>",
        [("click", "Host 24"), ("click", "Host 0"),
         ("js", "s12.textContent = 'down'"), ("click", "Host 12"),
         ("js", "for (let i = 0; i < 25; i++) document.getElementById('s' + i)"
                ".textContent = 'up'")],
        holds=["Host 24"], lacks=["restarting"]),
]
