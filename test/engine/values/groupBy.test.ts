// Protects groupBy: every element is in exactly one group, in order.
import fc from 'fast-check';

import { groupBy } from '../../../nodes/engine/values/groupBy';

it('puts each element into the group of its key, in the order of the elements', () => {
	fc.assert(
		fc.property(fc.array(fc.record({ key: fc.nat(4), value: fc.nat() })), (elements) => {
			const groups = groupBy(elements, ({ key }) => key);
			expect([...groups.keys()]).toEqual([...new Set(elements.map(({ key }) => key))]);
			for (const [key, group] of groups)
				expect(group).toEqual(elements.filter((element) => element.key === key));
		}),
	);
});
