// Protects agents and reviewers: the pack recognizes the variants that n8n makes of a node for them, and n8n's own message.
import { isReview, isTool, REVIEW_MESSAGE } from '../../../nodes/engine/n8n/toolVariants';
import { runInN8n, itWithN8n } from './installed';

itWithN8n(
	"n8n's tool and review variants of a node have the names and the message that the pack expects",
	() => {
		const variants = runInN8n(`
		const { convertNodeToAiTool, convertNodeToHitlTool } = load('./dist/tool-generation');
		const description = () => ({
			name: 'toy', displayName: 'Toy', group: [], version: 1, description: '', defaults: {},
			inputs: ['main'], outputs: ['main'],
			properties: [{
				displayName: 'Operation', name: 'operation', type: 'options', default: 'sendAndWait',
				options: [{ name: 'Send', value: 'sendAndWait' }],
			}],
		});
		const tool = convertNodeToAiTool({ description: description() }).description;
		const review = convertNodeToHitlTool({ description: description() }).description;
		const message = review.properties.find(({ name }) => name === 'message');
		const hasDescriptionType = ({ properties }) =>
			properties.some(({ name }) => name === 'descriptionType');
		return {
			tool: tool.name, review: review.name, message: message && message.default,
			described: [tool, review].map(hasDescriptionType),
		};
	`) as Record<'tool' | 'review' | 'message', string> & { described: boolean[] };
		// The panel of a review hides the fields of tools by this property (panel/output).
		expect(variants.described).toEqual([true, false]);
		expect([isTool({ type: variants.tool }), isReview({ type: variants.tool })]).toEqual([
			true,
			false,
		]);
		expect([isTool({ type: variants.review }), isReview({ type: variants.review })]).toEqual([
			true,
			true,
		]);
		expect(variants.message).toBe(REVIEW_MESSAGE);
	},
);

it.each([
	['pack.thing', { isToolType: false, isReviewType: false }],
	['pack.thingTool', { isToolType: true, isReviewType: false }],
	['pack.thingHitlTool', { isToolType: true, isReviewType: true }],
	['pack.toolbox', { isToolType: false, isReviewType: false }],
])('isTool and isReview read the node type %s as %j', (type, { isToolType, isReviewType }) => {
	expect(isTool({ type })).toBe(isToolType);
	expect(isReview({ type })).toBe(isReviewType);
});
