import { byId } from './dom.js';

/** Makes tabs operable with pointer and arrow keys. Calls back with the name of the selected tab. */
export function setUpTabs(names, onShow) {
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
			// In order from this tab, wrapping around, without hidden tabs.
			const order = [...names.slice(index), ...names.slice(0, index)];
			const around = order.filter((other) => !byId(`tab-${other}`).hidden);
			const shown = names.filter((other) => around.includes(other));
			const targets = {
				ArrowRight: around[1],
				ArrowLeft: around.at(-1),
				Home: shown[0],
				End: shown.at(-1),
			};
			const target = targets[event.key];
			if (!target) return;
			event.preventDefault();
			select(target, true);
		});
	});
	return { current: () => current };
}
