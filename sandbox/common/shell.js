import { byId } from './dom.js';

const TOAST_MS = 4000;
let toastTimer;

/** Shows a message for a moment. */
export function showToast(text, tone = '') {
	const element = byId('toast');
	element.textContent = text;
	element.className = `toast ${tone}`;
	element.hidden = false;
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => (element.hidden = true), TOAST_MS);
}

/** Shows the number of new items on a tab. */
export function showBadge(name, count) {
	const element = byId(`badge-${name}`);
	element.hidden = count === 0;
	element.textContent = String(count);
	element.setAttribute('aria-label', `${count} new`);
}

/** Shows whether the page receives live updates. */
export function showConnection(isConnected) {
	const connection = byId('link');
	connection.classList.toggle('up', isConnected);
	connection.lastElementChild.textContent = isConnected ? 'Live' : 'Offline';
}
