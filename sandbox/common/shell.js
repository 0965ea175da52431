import { byId } from './dom.js';

const TOAST_MS = 4000;
let toastTimer;

/** Says something for a moment. */
export function toast(text, mood = '') {
	const element = byId('toast');
	element.textContent = text;
	element.className = `toast ${mood}`;
	element.hidden = false;
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => (element.hidden = true), TOAST_MS);
}

/** How many new things a tab has. */
export function badge(name, count) {
	const element = byId(`badge-${name}`);
	element.hidden = count === 0;
	element.textContent = String(count);
	element.setAttribute('aria-label', `${count} new`);
}

/** Whether the page hears of what happens. */
export function showLink(isUp) {
	const link = byId('link');
	link.classList.toggle('up', isUp);
	link.lastElementChild.textContent = isUp ? 'Live' : 'Offline';
}
