/** Adds an element to the group of a key. */
export function addToGroup<Key, Element>(
	groups: Map<Key, Element[]>,
	key: Key,
	element: Element,
): void {
	const group = groups.get(key);
	if (group) group.push(element);
	else groups.set(key, [element]);
}

/** Groups elements by key. Groups, and the elements of a group, keep the order of the elements. */
export function groupBy<Key, Element>(
	elements: Iterable<Element>,
	keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
	const groups = new Map<Key, Element[]>();
	for (const element of elements) addToGroup(groups, keyOf(element), element);
	return groups;
}
