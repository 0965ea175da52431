/** Finds an element by its ID; a missing one is an error in the page. */
export function byId(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`No element #${id}`);
	return element;
}

/** Creates an element. Strings become text nodes, so that received data is never parsed as HTML. */
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
 * Shows `items` in `container`, newest first. An element is recreated only if the `version` of its item has changed: a
 * focused button keeps the focus when another item arrives, and its replacement receives the focus when its own item has
 * changed.
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

/** Refills a container only if `version` has changed: an open drop-down list must not close while it is used. */
export function fillIfNew(container, version, create) {
	if (container.dataset.version === version) return;
	container.dataset.version = version;
	container.replaceChildren(...create());
}

/** Returns a button that copies a text and confirms it. A short label can have a longer accessible name. */
export function copyButton(label, text, name) {
	const attributes = { class: 'copy', type: 'button', 'data-copy': text, 'aria-label': name };
	return make('button', attributes, label);
}

/** Handles clicks on every copy button of the page, including those added later. */
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

/** Formats the time of day in the user's locale. */
export function timeOf(ms) {
	return clockTime.format(new Date(ms));
}

/** Formats a remaining time, such as `4:09`. */
export function timeLeft(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	if (hours >= 24) return `${Math.floor(hours / 24)} d`;
	if (hours > 0) return `${hours} h ${minutes} min`;
	return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Writes the time left into every element with `data-expires`. Returns whether the time of one is over. */
export function updateCountdowns(now) {
	let isOver = false;
	for (const element of document.querySelectorAll('[data-expires]')) {
		const left = Number(element.dataset.expires) - now;
		element.textContent = timeLeft(left);
		isOver ||= left <= 0;
	}
	return isOver;
}

/** Shortens a fingerprint so that people can compare it at a glance. */
export function shorten(fingerprint) {
	return `${fingerprint.slice(0, 6)}…${fingerprint.slice(-4)}`;
}

/** Names a person by role, as part of a sentence. */
export const roleOf = (holder) => (holder === 'finance' ? holder : `the ${holder}`);

/** Capitalizes the first letter. */
export const capitalize = (text) => text[0].toUpperCase() + text.slice(1);

const count = new Intl.NumberFormat();

/** Formats a number of records in the user's locale. */
export const countOf = (number) => count.format(number);
