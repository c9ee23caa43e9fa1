const index = `<!doctype html>
<html>
<head><title>Bakery Krume</title></head>
<body>
<h1>Krume</h1>
<h3>Bread since 1952</h3>
<img src="loaf.jpg">
<p>Open from seven in the morning until everything is sold.</p>
<ul>
<li>Rye 4.20</li><li>Spelt 4.60</li><li>Baguette</li>
</ul>
<form>
<input name="name"><input name="email" type="email">
<button></button>
</form>
<a href="#">click here</a>
<div id="twin"></div><div id="twin"></div>
<p>Phone: 030 123456, Lindenstrasse 5</p>
</body>
</html>
`;

const order = `<!doctype html>
<html>
<head></head>
<body>
<h2>Order</h2>
<form action="/order"><label>Bread <select><option>Rye</option></select></label><input type="text" name="amount"><input type="submit" value="Order"></form>
<img src="oven.jpg"><table><tr><td>Rye</td><td>4.20</td></tr></table>
<p>Lorem ipsum dolor sit amet TODO</p>
</body>
</html>
`;

const task = `# Bakery website

- The page must state its language
- The page must show the opening hours
- Every image must have a text alternative
- Every input must have a label
- The menu must list at least five breads with prices
- The order form must confirm what was ordered
- The page should not use more than two font families
- Contact details must include a phone number and an address
`;

/** A task of eight requirements, and two pages with many gaps. */
export const bakery = { 'TASK.md': task, 'site/index.html': index, 'site/order.html': order };
