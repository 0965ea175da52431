import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(__dirname, '../../bin/gatehouse.mjs');
const pack = 'n8n-nodes-gatehouse';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gatehouse-move-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
	writeFileSync(join(folder, name), text);
	return join(folder, name);
}
const readText = (name: string) => readFileSync(join(folder, name), 'utf8');
const move = (...args: string[]) =>
	execFileSync(process.execPath, [program, 'move', ...args], { encoding: 'utf8' });

/** A workflow as n8n exports it; what is not a node's type must survive as it is written. */
const workflow = (prefix: string) => `{
  "name": "n8n-nodes-gatehouse.twoFactor in a name",
  "nodes": [
    { "type": "${prefix}.twoFactor", "parameters": { "id": 12345678901234567890, "n": 1.50 } },
    {"type":"${prefix}.twoFactorTrigger","credentials":{"twoFactorApi":{"id":"7"}}},
    { "type": "${prefix}.twoFactorTool" }, { "type": "${prefix}.twoFactorHitlTool" },
    { "type": "n8n-nodes-gatehouse.eventData" },
    { "type": "n8n-nodes-base.set", "notes": "{\\"type\\": \\"${prefix}.twoFactor\\"}" }
  ]
}
`;

it('the move script moves the nodes of one service to its package and back, and changes nothing else', () => {
	const place = file('flow.json', workflow(pack));
	expect(move('--to', 'n8n-nodes-two-factor', place)).toContain('4 nodes moved');
	const note = JSON.stringify(`{"type": "${pack}.twoFactor"}`);
	const movedWorkflow = workflow('n8n-nodes-two-factor').replace(
		/"notes": .* \}$/m,
		() => `"notes": ${note} }`,
	);
	expect(readText('flow.json')).toBe(movedWorkflow);
	move('--to', pack, place);
	expect(readText('flow.json')).toBe(workflow(pack));
});

it('the move script accepts several files, has a dry run, and does not change files that are not JSON', () => {
	const good = file('good.json', workflow(pack));
	const bad = file('bad.json', `${workflow(pack)}}`);
	expect(move('--to', 'n8n-nodes-event-data', '--dry', good)).toContain('1 node would move');
	expect(readText('good.json')).toBe(workflow(pack));
	const args = [program, 'move', '--to', 'n8n-nodes-event-data', bad, good];
	const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	expect(status).toBe(1);
	expect(stderr).toContain('bad.json: ');
	expect(readText('bad.json')).toBe(`${workflow(pack)}}`);
	expect(readText('good.json')).toContain('"n8n-nodes-event-data.eventData"');
});

it.each([
	[['--to', 'n8n-nodes-three-factor', 'x.json'], 2, 'There is no package n8n-nodes-three-factor'],
	[['x.json'], 2, 'Usage: npx n8n-nodes-gatehouse move'],
	[['--form', 'x', 'x.json'], 2, "Unknown option '--form'"],
	[['--help'], 0, 'Usage: npx n8n-nodes-gatehouse move'],
])('the move script exits for %j with code %i and a message', (args, code, words) => {
	const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'move', ...args], {
		encoding: 'utf8',
	});
	expect(status).toBe(code);
	expect(`${stdout}${stderr}`).toContain(words);
});
