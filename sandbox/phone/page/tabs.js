import { byId } from './dom.js';

const names = ['requests', 'messages', 'history', 'profile'];

/** Makes the four tabs work with pointer and arrow keys. Calls back with the tab that is shown. */
export function setUpTabs(onShow) {
	let current = names[0];
	const select = (name, focus) => {
		current = name;
		for (const other of names) {
			const tab = byId(`tab-${other}`);
			const isCurrent = other === name;
			tab.setAttribute('aria-selected', String(isCurrent));
			tab.tabIndex = isCurrent ? 0 : -1;
			byId(`panel-${other}`).hidden = !isCurrent;
			if (isCurrent && focus) tab.focus();
		}
		onShow(name);
	};
	names.forEach((name, index) => {
		const tab = byId(`tab-${name}`);
		tab.addEventListener('click', () => select(name, false));
		tab.addEventListener('keydown', (event) => {
			const targets = {
				ArrowRight: names[(index + 1) % names.length],
				ArrowLeft: names[(index + names.length - 1) % names.length],
				Home: names[0],
				End: names.at(-1),
			};
			const target = targets[event.key];
			if (!target) return;
			event.preventDefault();
			select(target, true);
		});
	});
	return { current: () => current };
}
