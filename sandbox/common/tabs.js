import { byId } from './dom.js';

/** Makes tabs operable with pointer and arrow keys. Calls back with the name of the selected tab. */
export function setUpTabs(names, onSelect) {
	let current = names[0];
	const select = (name, shouldFocus) => {
		current = name;
		for (const tabName of names) {
			const tab = byId(`tab-${tabName}`);
			const isCurrent = tabName === name;
			tab.setAttribute('aria-selected', String(isCurrent));
			tab.tabIndex = isCurrent ? 0 : -1;
			byId(`panel-${tabName}`).hidden = !isCurrent;
			if (isCurrent && shouldFocus) tab.focus();
		}
		onSelect(name);
	};
	names.forEach((name, index) => {
		const tab = byId(`tab-${name}`);
		tab.addEventListener('click', () => select(name, false));
		tab.addEventListener('keydown', (event) => {
			// Tabs in order from this one, wrapping around, without hidden tabs.
			const order = [...names.slice(index), ...names.slice(0, index)];
			const visibleFromHere = order.filter((tabName) => !byId(`tab-${tabName}`).hidden);
			const visible = names.filter((tabName) => visibleFromHere.includes(tabName));
			const targets = {
				ArrowRight: visibleFromHere[1],
				ArrowLeft: visibleFromHere.at(-1),
				Home: visible[0],
				End: visible.at(-1),
			};
			const target = targets[event.key];
			if (!target) return;
			event.preventDefault();
			select(target, true);
		});
	});
	return { current: () => current };
}
