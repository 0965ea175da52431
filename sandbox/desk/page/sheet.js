import { byId, make } from '/common/dom.js';

const dialog = byId('sheet');
let refreshCurrent = () => undefined;
let openerElement;

/** Closes the sheet. The browser restores the focus, unless the focused element was removed. */
export const closeSheet = () => dialog.close();

/** Opens the sheet with this content. `refresh` is called when its data may have changed. */
export function openSheet(title, content, refresh = () => undefined) {
	byId('sheet-title').textContent = title;
	byId('sheet-body').replaceChildren(...content);
	byId('sheet-body').scrollTop = 0;
	refreshCurrent = refresh;
	if (dialog.open) return byId('sheet-title').focus();
	openerElement = document.activeElement;
	dialog.showModal();
	// Elements behind a modal dialog are neither visible nor read out.
	dialog.append(byId('toast'));
	byId('sheet-title').focus();
}

export const setSheetTitle = (title) => (byId('sheet-title').textContent = title);

/** Refreshes the open sheet. */
export const refreshSheet = async () => dialog.open && (await refreshCurrent());

dialog.addEventListener('close', () => {
	refreshCurrent = () => undefined;
	document.querySelector('.desk').append(byId('toast'));
	byId('sheet-body').replaceChildren();
	if (openerElement && !openerElement.isConnected) {
		document.querySelector('[role=tabpanel]:not([hidden])')?.focus();
	}
});
// A click outside the sheet closes it.
dialog.addEventListener('click', (event) => {
	if (event.target === dialog) closeSheet();
});
byId('sheet-close').addEventListener('click', closeSheet);

/** Returns a section of a sheet with a heading. */
export const createSheetSection = (title, ...content) =>
	make('section', { class: 'part' }, make('h3', {}, title), ...content);
