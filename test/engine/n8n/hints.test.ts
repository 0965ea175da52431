// Protects readers of hints: n8n's editor shows them as HTML, and a stranger may have written a part of one.
import { addHint } from '../../../nodes/engine/n8n/hints';
import { runNode } from '../../support/workflow';
import { createKit, createNodeType } from './engine';

it('n8n stores a hint with its data, without the formats of HTML', async () => {
	const type = createNodeType(async (context) => {
		addHint(context, 'Asked "<a href=x>Ada & Bo</a>"', { people: 2 });
		return [[{ json: {} }]];
	});
	const { run } = await runNode(createKit({ probe: type }), 'probe', {});
	expect(run.data.resultData.runData.Node?.[0]?.hints).toEqual([
		{
			message: 'Asked "&lt;a href=x&gt;Ada &amp; Bo&lt;/a&gt;"',
			location: 'outputPane',
			data: { people: 2 },
		},
	]);
});
