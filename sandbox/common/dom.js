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
 * Shows `items` in `container`, newest first. An element is recreated only if the version of its item has changed: a
 * focused button keeps the focus when another item arrives, and its replacement receives the focus when its own item has
 * changed.
 */
export function showList(container, items, { getVersion, create }) {
	const existing = new Map([...container.children].map((child) => [child.dataset.key, child]));
	let restoreFocus = () => undefined;
	const elements = items.map((item) => {
		const key = `${item.kind}:${item.id}`;
		const oldElement = existing.get(key);
		const itemVersion = getVersion(item);
		if (oldElement?.dataset.version === itemVersion) return oldElement;
		const element = create(item);
		element.dataset.key = key;
		element.dataset.version = itemVersion;
		if (oldElement?.contains(document.activeElement)) {
			const buttonIndex = [...oldElement.querySelectorAll('button')].indexOf(
				document.activeElement,
			);
			restoreFocus = () => element.querySelectorAll('button')[buttonIndex]?.focus();
		}
		return element;
	});
	for (const child of existing.values()) if (!elements.includes(child)) child.remove();
	elements.forEach((element, index) => {
		if (container.children[index] !== element) {
			container.insertBefore(element, container.children[index] ?? null);
		}
	});
	restoreFocus();
}

/** Refills a container only if `version` has changed: an open drop-down list must not close while it is used. */
export function fillIfChanged(container, version, create) {
	if (container.dataset.version === version) return;
	container.dataset.version = version;
	container.replaceChildren(...create());
}

/** Returns a button that copies a text and confirms it. A short label can have a longer accessible name. */
export function createCopyButton(label, text, name) {
	const attributes = { class: 'copy', type: 'button', 'data-copy': text, 'aria-label': name };
	return make('button', attributes, label);
}

/** Handles clicks on every copy button of the page, including those added later. */
export function handleCopyButtons(onCopied) {
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

const timeFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** Formats the time of day in the user's locale. */
export function formatTime(ms) {
	return timeFormat.format(new Date(ms));
}

/** Formats a remaining time, such as `4:09`. */
export function formatTimeLeft(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	if (hours >= 24) return `${Math.floor(hours / 24)} d`;
	if (hours > 0) return `${hours} h ${minutes} min`;
	return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Writes the time left into every element with `data-expires`. Returns whether the time of one is over. */
export function updateCountdowns(now) {
	let hasExpired = false;
	for (const element of document.querySelectorAll('[data-expires]')) {
		const leftMs = Number(element.dataset.expires) - now;
		element.textContent = formatTimeLeft(leftMs);
		hasExpired ||= leftMs <= 0;
	}
	return hasExpired;
}

/** Shortens a fingerprint so that people can compare it at a glance. */
export function shortenFingerprint(fingerprint) {
	return `${fingerprint.slice(0, 6)}…${fingerprint.slice(-4)}`;
}

/** Names a person by role, as part of a sentence. */
export const describeRole = (holder) => (holder === 'finance' ? holder : `the ${holder}`);

/** Capitalizes the first letter. */
export const capitalize = (text) => text[0].toUpperCase() + text.slice(1);

const countFormat = new Intl.NumberFormat();

/** Formats a number of records in the user's locale. */
export const formatCount = (number) => countFormat.format(number);
