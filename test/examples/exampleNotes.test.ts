import { files, open, withAccount } from './exampleFiles';

describe.each(files)('%s', (file) => {
	const { connections, working, notes, tables, isLoop } = open(file);

	test('explains what it does, what to click and what to change', () => {
		const [about, ...others] = notes.map(({ parameters }) => `${parameters.content as string}`);
		expect(about).toMatch(/^## .+\n.{80,}/);
		expect(about).toContain('**Try it**');
		expect(about).toContain('**Make it yours**');
		expect(others.length).toBeGreaterThan(0);
		// Text in italics is the name of a node or of another element on the screen.
		const italics = [...about!.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, words]) => words!);
		const events = working.flatMap(({ parameters }) => {
			const { cachedResultName } = (parameters.eventId ?? {}) as { cachedResultName?: string };
			return cachedResultName ?? [];
		});
		const onScreen = new Set([
			...working.map(({ name }) => name),
			...['Trigger', 'Speaker'],
			...tables,
			...events,
		]);
		expect(italics.filter((words) => !onScreen.has(words))).toEqual([]);
	});

	test('says first which account it needs, if it needs one, and brings none along', () => {
		const [about] = notes.map(({ parameters }) => `${parameters.content as string}`);
		const needing = working.filter(({ type }) => withAccount.has(type));
		for (const { name, type, credentials } of needing) {
			expect(about).toMatch(new RegExp(`\\n1\\. .*account.*\\*${name}\\*`));
			expect(credentials).toEqual({ [withAccount.get(type)!]: { id: null, name: 'Your account' } });
		}
		expect(/\bAPI key\b/i.test(about!)).toBe(needing.length > 0);
	});

	test('is laid out from left to right, parts of agents below them, without overlaps', () => {
		const at = (name: string) => working.find((node) => node.name === name)!.position;
		for (const [from, { main = [], ...parts }] of Object.entries(connections)) {
			const next = main
				.flat()
				.flatMap(({ node }) => (isLoop(node) && at(node)[0] < at(from)[0] ? [] : node));
			expect(next.filter((name) => at(name)[0] <= at(from)[0])).toEqual([]);
			const served = Object.values(parts).flatMap((outputs) => outputs.flat());
			expect(served.filter(({ node }) => at(node)[1] >= at(from)[1])).toEqual([]);
		}
		// A node with its label takes about 192 by 144.
		const nodeBoxes = working.map(({ position: [x, y], name }) => ({
			name,
			box: [x - 48, y, 192, 144],
		}));
		const noteBoxes = notes.map(({ position: [x, y], parameters, name }) => ({
			name,
			box: [x, y, Number(parameters.width), Number(parameters.height)],
		}));
		expect([...overlaps(nodeBoxes), ...overlaps(noteBoxes)]).toEqual([]);
	});

	test('has its note where nothing of the editor covers it', () => {
		// n8n shows a checklist in the top left corner of what is published.
		const [about, ...frames] = notes.map(({ position: [x, y] }) => ({ x, y }));
		const bottom = Math.max(...working.map(({ position: [, y] }) => y + 144));
		const left = Math.min(...working.map(({ position: [x] }) => x));
		const top = Math.min(...frames.map(({ y }) => y));
		const isBelow = about!.y >= bottom;
		const isAbove = about!.x >= left + 350 && about!.y <= top - 500;
		expect(isBelow || isAbove).toBe(true);
	});
});

interface Boxed {
	name: string;
	box: number[];
}

/** Pairs of boxes (x, y, width, height) that share some space. */
function overlaps(boxes: Boxed[]): string[] {
	return boxes.flatMap((one, index) =>
		boxes
			.slice(index + 1)
			.filter(({ box: [x, y, width, height] }) => {
				const [ox, oy, owidth, oheight] = one.box as [number, number, number, number];
				return x! < ox + owidth && ox < x! + width! && y! < oy + oheight && oy < y! + height!;
			})
			.map((other) => `${one.name} and ${other.name}`),
	);
}
