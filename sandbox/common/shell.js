import { byId } from './dom.js';

const TOAST_MS = 4000;
let toastTimer;

/** Shows a message for a moment. */
export function toast(text, mood = '') {
	const element = byId('toast');
	element.textContent = text;
	element.className = `toast ${mood}`;
	element.hidden = false;
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => (element.hidden = true), TOAST_MS);
}

/** Shows the number of new items on a tab. */
export function badge(name, count) {
	const element = byId(`badge-${name}`);
	element.hidden = count === 0;
	element.textContent = String(count);
	element.setAttribute('aria-label', `${count} new`);
}

/** Shows whether the page receives live updates. */
export function showLink(isUp) {
	const link = byId('link');
	link.classList.toggle('up', isUp);
	link.lastElementChild.textContent = isUp ? 'Live' : 'Offline';
}
