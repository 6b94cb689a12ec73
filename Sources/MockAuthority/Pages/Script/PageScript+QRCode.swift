extension StaticAssets {
    /// A QR code as SVG: byte mode, error correction M (ISO/IEC 18004).
    static let scriptQRCode = #"""
        const qrCorrection = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
        const qrBlocks = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

        // Modules for data and error correction of a version, in bits.
        function qrBits(version) {
          let bits = (16 * version + 128) * version + 64;
          if (version > 1) {
            const marks = Math.floor(version / 7) + 2;
            bits -= (25 * marks - 10) * marks - 55;
            if (version > 6) bits -= 36;
          }
          return bits;
        }
        function qrData(version) { return Math.floor(qrBits(version) / 8) - qrCorrection[version] * qrBlocks[version]; }

        function qrCodewords(bytes, version) {
          const bits = [];
          const put = (value, count) => { for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1); };
          put(4, 4);
          put(bytes.length, version < 10 ? 8 : 16);
          bytes.forEach(byte => put(byte, 8));
          const room = qrData(version) * 8;
          put(0, Math.min(4, room - bits.length));
          while (bits.length % 8) bits.push(0);
          const words = [];
          for (let start = 0; start < bits.length; start += 8) words.push(parseInt(bits.slice(start, start + 8).join(""), 2));
          for (let pad = 0xec; words.length < qrData(version); pad ^= 0xec ^ 0x11) words.push(pad);
          return words;
        }
        function qrTimes(left, right) {
          let product = 0;
          for (let bit = 7; bit >= 0; bit -= 1) {
            product = (product << 1) ^ ((product >>> 7) * 0x11d);
            product ^= ((right >>> bit) & 1) * left;
          }
          return product;
        }
        // Splits the words in blocks, adds each block's check words, and mixes the blocks.
        function qrProtected(words, version) {
          const count = qrBlocks[version], length = qrCorrection[version], all = Math.floor(qrBits(version) / 8);
          const short = count - all % count, size = Math.floor(all / count);
          const divisor = new Array(length).fill(0);
          divisor[length - 1] = 1;
          let power = 1;
          for (let term = 0; term < length; term += 1) {
            for (let place = 0; place < length; place += 1) divisor[place] = qrTimes(divisor[place], power) ^ (divisor[place + 1] || 0);
            power = qrTimes(power, 2);
          }
          const blocks = [];
          for (let number = 0, start = 0; number < count; number += 1) {
            const data = words.slice(start, start + size - length + (number < short ? 0 : 1));
            start += data.length;
            const rest = new Array(length).fill(0);
            data.forEach(word => {
              const factor = word ^ rest.shift();
              rest.push(0);
              divisor.forEach((term, place) => { rest[place] ^= qrTimes(term, factor); });
            });
            blocks.push({ data: data, rest: rest });
          }
          const mixed = [];
          for (let place = 0; place <= size - length; place += 1) blocks.forEach(block => { if (place < block.data.length) mixed.push(block.data[place]); });
          for (let place = 0; place < length; place += 1) blocks.forEach(block => mixed.push(block.rest[place]));
          return mixed;
        }
        const qrMasks = [
          (x, y) => (x + y) % 2, (x, y) => y % 2, (x, y) => x % 3, (x, y) => (x + y) % 3,
          (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
          (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2
        ];
        function qrMatrix(message) {
          const bytes = [...new TextEncoder().encode(message)];
          let version = 1;
          while (version < qrBlocks.length && qrData(version) * 8 < 4 + (version < 10 ? 8 : 16) + bytes.length * 8) version += 1;
          if (version >= qrBlocks.length) return null;
          const size = version * 4 + 17;
          const modules = Array.from({ length: size }, () => new Array(size).fill(false));
          const fixed = Array.from({ length: size }, () => new Array(size).fill(false));
          const set = (x, y, dark) => { modules[y][x] = !!dark; fixed[y][x] = true; };

          for (let place = 0; place < size; place += 1) { set(6, place, place % 2 === 0); set(place, 6, place % 2 === 0); }
          for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
            for (let dy = -4; dy <= 4; dy += 1) for (let dx = -4; dx <= 4; dx += 1) {
              const ring = Math.max(Math.abs(dx), Math.abs(dy)), x = left + dx, y = top + dy;
              if (x >= 0 && x < size && y >= 0 && y < size) set(x, y, ring !== 2 && ring !== 4);
            }
          }
          const marks = [];
          if (version > 1) {
            const count = Math.floor(version / 7) + 2, step = Math.ceil((size - 13) / (count * 2 - 2)) * 2;
            for (let place = size - 7; marks.length < count - 1; place -= step) marks.unshift(place);
            marks.unshift(6);
          }
          const last = marks.length - 1;
          marks.forEach((y, row) => marks.forEach((x, column) => {
            if ((row === 0 && column === 0) || (row === 0 && column === last) || (row === last && column === 0)) return;
            for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
          }));
          function format(mask) {
            let rest = mask;
            for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
            const bits = (mask << 10 | rest) ^ 0x5412, bit = place => (bits >>> place) & 1;
            for (let place = 0; place <= 5; place += 1) set(8, place, bit(place));
            set(8, 7, bit(6)); set(8, 8, bit(7)); set(7, 8, bit(8));
            for (let place = 9; place < 15; place += 1) set(14 - place, 8, bit(place));
            for (let place = 0; place < 8; place += 1) set(size - 1 - place, 8, bit(place));
            for (let place = 8; place < 15; place += 1) set(8, size - 15 + place, bit(place));
            set(8, size - 8, true);
          }
          format(0);
          if (version >= 7) {
            let rest = version;
            for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
            const bits = version << 12 | rest;
            for (let place = 0; place < 18; place += 1) {
              const far = size - 11 + place % 3, near = Math.floor(place / 3);
              set(far, near, (bits >>> place) & 1);
              set(near, far, (bits >>> place) & 1);
            }
          }
          const words = qrProtected(qrCodewords(bytes, version), version);
          let next = 0;
          for (let right = size - 1; right >= 1; right -= 2) {
            if (right === 6) right = 5;
            for (let step = 0; step < size; step += 1) for (const x of [right, right - 1]) {
              const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
              if (!fixed[y][x] && next < words.length * 8) {
                modules[y][x] = ((words[next >>> 3] >>> (7 - (next & 7))) & 1) === 1;
                next += 1;
              }
            }
          }
          let best = null;
          qrMasks.forEach((mask, number) => {
            format(number);
            const masked = modules.map((row, y) => row.map((dark, x) => fixed[y][x] ? dark : dark !== (mask(x, y) === 0)));
            const cost = qrCost(masked);
            if (!best || cost < best.cost) best = { cost: cost, modules: masked };
          });
          return best.modules;
        }
        // How hard a picture is to read: runs, blocks, things that look like finders, and uneven darkness.
        function qrCost(modules) {
          const size = modules.length;
          let cost = 0, dark = 0;
          const lines = modules.map(row => row.map(Number).join(""));
          for (let x = 0; x < size; x += 1) lines.push(modules.map(row => Number(row[x])).join(""));
          for (const line of lines) {
            for (const run of line.match(/0{5,}|1{5,}/g) || []) cost += run.length - 2;
            for (let start = 0; start + 11 <= size; start += 1) {
              const part = line.slice(start, start + 11);
              if (part === "10111010000" || part === "00001011101") cost += 40;
            }
          }
          for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) {
            if (modules[y][x]) dark += 1;
            if (x && y && modules[y][x] === modules[y - 1][x] && modules[y][x] === modules[y][x - 1] && modules[y][x] === modules[y - 1][x - 1]) cost += 3;
          }
          return cost + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
        }
        function qrPicture(message, id, title) {
          const modules = qrMatrix(message), names = "http://www.w3.org/2000/svg";
          if (!modules) return make("p", { id: id, text: message });
          const side = modules.length + 8;
          const picture = document.createElementNS(names, "svg"), path = document.createElementNS(names, "path");
          for (const [name, value] of [["id", id], ["viewBox", "0 0 " + side + " " + side], ["role", "img"], ["aria-label", title], ["shape-rendering", "crispEdges"]]) picture.setAttribute(name, value);
          path.setAttribute("d", modules.map((row, y) => row.map((dark, x) => dark ? "M" + (x + 4) + " " + (y + 4) + "h1v1h-1z" : "").join("")).join(""));
          picture.append(path);
          return picture;
        }

        """#
}
