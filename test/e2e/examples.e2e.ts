import { readdirSync } from 'node:fs';
import path from 'node:path';
import { examplesFolder } from '../../lab/lab';
import { readWorkflow, workflowId } from '../../lab/workflows';
import { events } from './examples/events';
import { people } from './examples/people';
import { sceneOf } from './examples/scene';
import { screenshot } from './support/artifacts';
import { pictured, startSession, type Session } from './support/session';

const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
const scenarios = { ...people, ...events };

describe('the examples', () => {
	let session: Session;

	beforeAll(async () => {
		session = await startSession({ examples: examplesFolder });
	});
	afterAll(async () => {
		await session?.stop();
	});

	test('are all run here', () => {
		expect(Object.keys(scenarios).sort()).toEqual([...files].sort());
	});

	const onCanvas = async ({ editor }: Session) => {
		for (const file of files) {
			await editor.openWorkflow(workflowId(file));
			const { nodes } = await readWorkflow(path.join(examplesFolder, file));
			const isNote = (type: string) => type === 'n8n-nodes-base.stickyNote';
			const names = nodes.filter(({ type }) => !isNote(type)).map(({ name }) => name);
			for (const name of names) await editor.node(name).waitFor();
			const complaints = await editor.page.getByTestId('node-issues').count();
			await screenshot(editor.page, `example ${file.slice(0, 2)}`);
			expect({ file, complaints }).toEqual({ file, complaints: 0 });
		}
		expect(editor.pageErrors).toEqual([]);
	};
	test(
		'open in the editor with all their nodes and without a complaint',
		pictured(() => session, onCanvas),
	);

	test.each(Object.entries(scenarios).map(([file, { does, play }]) => ({ file, does, play })))(
		'$file $does',
		async ({ file, play }) => await play(sceneOf(session, file)),
	);
});
