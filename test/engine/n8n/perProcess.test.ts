// Protects triggers that run while n8n updates the pack: the old and the new copy of the pack share one state.
import type * as Module from '../../../nodes/engine/n8n/perProcess';

const workflow: object = jest.requireActual('n8n-workflow');

/** Loads the module again, as n8n does with an updated pack; n8n-workflow stays loaded. */
function loadAgain(): typeof Module {
	let loaded: typeof Module | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => workflow);
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		loaded = require('../../../nodes/engine/n8n/perProcess') as typeof Module;
	});
	return loaded!;
}

it('two loads of the pack share the state of perProcess', () => {
	const [before, after] = [loadAgain(), loadAgain()];
	expect(after.loadId).not.toBe(before.loadId);
	const first = before.perProcess('test 1', () => ({ from: 'before' }));
	expect(after.perProcess('test 1', () => ({ from: 'after' }))).toBe(first);
	expect(first).toEqual({ from: 'before' });
});
