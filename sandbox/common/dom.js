/** Finds an element by its id; a missing one is a mistake in the page. */
export function byId(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`No element #${id}`);
	return element;
}

/** Makes an element. Texts become text nodes, so nothing that arrives is ever read as HTML. */
export function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === false) continue;
		if (name === 'onclick') element.addEventListener('click', value);
		else element.setAttribute(name, value === true ? '' : value);
	}
	element.append(...children.filter((child) => child !== undefined && child !== false));
	return element;
}

/**
 * Shows `items` in `container`, newest first. An element is made anew only when `version` of its
 * item changed: whoever is about to press a button keeps the focus when something else arrives, and gets the button in
 * its place when this very item has changed.
 */
export function showList(container, items, { version, create }) {
	const shown = new Map([...container.children].map((child) => [child.dataset.key, child]));
	let focusAgain = () => undefined;
	const wanted = items.map((item) => {
		const key = `${item.kind}:${item.id}`;
		const old = shown.get(key);
		const current = version(item);
		if (old?.dataset.version === current) return old;
		const element = create(item);
		element.dataset.key = key;
		element.dataset.version = current;
		if (old?.contains(document.activeElement)) {
			const place = [...old.querySelectorAll('button')].indexOf(document.activeElement);
			focusAgain = () => element.querySelectorAll('button')[place]?.focus();
		}
		return element;
	});
	for (const child of shown.values()) if (!wanted.includes(child)) child.remove();
	wanted.forEach((element, index) => {
		if (container.children[index] !== element) {
			container.insertBefore(element, container.children[index] ?? null);
		}
	});
	focusAgain();
}

/** Fills a container anew only when `version` has changed: an open choice must not close under the reader's hand. */
export function fillIfNew(container, version, create) {
	if (container.dataset.version === version) return;
	container.dataset.version = version;
	container.replaceChildren(...create());
}

/** A button that copies a text and says so. A short label can have a longer name for those who hear it. */
export function copyButton(label, text, name) {
	const attributes = { class: 'copy', type: 'button', 'data-copy': text, 'aria-label': name };
	return make('button', attributes, label);
}

/** Makes every copy button on the page work, those that come later too. */
export function listenForCopies(onCopied) {
	document.addEventListener('click', async (event) => {
		const button = event.target.closest('[data-copy], [data-copy-from]');
		if (!button) return;
		const text = button.dataset.copy ?? byId(button.dataset.copyFrom).textContent;
		try {
			await navigator.clipboard.writeText(text);
			onCopied('Copied');
		} catch {
			onCopied('The browser did not allow copying');
		}
	});
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** The time of day, in the reader's way of writing it. */
export function timeOf(ms) {
	return clockTime.format(new Date(ms));
}

/** What is left until a moment, such as `4:09`. */
export function timeLeft(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	if (hours >= 24) return `${Math.floor(hours / 24)} d`;
	if (hours > 0) return `${hours} h ${minutes} min`;
	return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A long fingerprint in a form that people can compare at a glance. */
export function shorten(fingerprint) {
	return `${fingerprint.slice(0, 6)}…${fingerprint.slice(-4)}`;
}
