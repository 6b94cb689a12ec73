-- The demonstration of docs/editors.md in Neovim, from 0.7 on: nvim --headless -u NONE -c "luafile neovim.lua".
--
-- B2C names the program, PAGE is docs/editors.md, DEMO is JSON with the policies and what is done with them. Prints "ok NAME" or
-- "not ok NAME: WHY" for each check, "ok end" at the end. With PICTURE the editor stays, with a finding and a hover, and READY
-- names a file that is written then.

local demo = vim.fn.json_decode(vim.env.DEMO)
local patience = 60000

local function say(text)
  io.stdout:write(text:gsub("[\r\n]+", " ") .. "\n")
end

local function check(name, action)
  local fine, why = pcall(action)
  say(fine and "ok " .. name or "not ok " .. name .. ": " .. tostring(why))
end

-- Waits until a function gives something.
local function wait(what, action)
  local found
  assert(vim.wait(patience, function()
    found = action()
    return found
  end, 10), "waited for " .. what)
  return found
end

local client

-- Loads the configuration that docs/editors.md shows for this version, with the program under test.
local function start(root)
  vim.cmd("cd " .. vim.fn.fnameescape(root))
  local page = table.concat(vim.fn.readfile(vim.env.PAGE), "\n")
  local text = assert(page:match("Before:\n\n```lua\n(.-)```"), "no configuration in " .. vim.env.PAGE)
  local words, count = text:gsub('"b2c", "lsp"', function() return vim.inspect(vim.env.B2C) .. ', "lsp"' end)
  assert(count == 1, text)
  assert(loadstring(words))()
  vim.cmd("filetype on")
end

local function open(path)
  if vim.api.nvim_buf_get_name(0) ~= path then vim.cmd("edit " .. vim.fn.fnameescape(path)) end
  client = wait("the answer to initialize", function()
    for id, one in pairs(vim.lsp.buf_get_clients(0)) do
      if one.initialized then return id end
    end
  end)
end

local function ask(method, params)
  local answer, why = vim.lsp.buf_request_sync(0, method, params, patience)
  assert(answer, why)
  local one = answer[client] or {}
  assert(not one.error, one.error and one.error.message)
  return one.result
end

-- Puts the cursor on the first place of a text of this buffer, some characters further.
local function go(text, further)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. vim.fn.escape(text, "\\"), "cW") > 0, "not found: " .. text)
  local place = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { place[1], place[2] + (further or 0) })
end

local function place() return vim.lsp.util.make_position_params(0, vim.lsp.get_client_by_id(client).offset_encoding) end

local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") end

local function hit()
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.code == "B2C-POL-020" or (one.user_data and one.user_data.lsp and one.user_data.lsp.code == "B2C-POL-020") then return one end
  end
end

local function plant()
  local from, to = 'ClaimTypeReferenceId="' .. demo.reference, 'ClaimTypeReferenceId="' .. demo.reference .. "x"
  go(from)
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local text = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
  local at = text:find(from, 1, true)
  vim.api.nvim_buf_set_lines(0, line - 1, line, false, { text:sub(1, at - 1) .. to .. text:sub(at + #from) })
  return line - 1
end

local function demonstration()
  start(demo.root)
  open(demo.edited)
  local before = lines()

  check("a misspelt claim is found at its line while typing", function()
    local line = plant()
    local found = wait("the finding", hit)
    assert(found.lnum == line and found.severity == vim.diagnostic.severity.ERROR, vim.inspect(found))
    assert(found.message:find(demo.reference .. "x", 1, true), found.message)
  end)

  check("the code action corrects it, and the finding is gone", function()
    local found = wait("the finding", hit)
    local params = vim.lsp.util.make_range_params(0)
    params.range = {
      start = { line = found.lnum, character = found.col }, ["end"] = { line = found.end_lnum, character = found.end_col },
    }
    params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, found.lnum, nil, client) }
    local titles, fix = {}, nil
    for _, one in ipairs(ask("textDocument/codeAction", params)) do
      table.insert(titles, one.title)
      if not fix and one.title:find(demo.reference .. "%f[%W]") then fix = one end
    end
    assert(fix, table.concat(titles, "; "))
    if not fix.edit then fix = ask("codeAction/resolve", fix) end
    vim.lsp.util.apply_workspace_edit(fix.edit, vim.lsp.get_client_by_id(client).offset_encoding)
    assert(lines() == before, "another text")
    wait("no finding", function() return not hit() end)
  end)

  check("hover shows the merged technical profile and its files", function()
    go('Id="' .. demo.profile .. '"', 6)
    local contents = ask("textDocument/hover", place()).contents
    for _, text in ipairs(vim.list_extend({ demo.profile }, demo.parts)) do
      assert(contents.value:find(text, 1, true), text .. " is missing: " .. contents.value)
    end
  end)

  check("completion offers the claims of the whole chain", function()
    go('ClaimTypeReferenceId="', #'ClaimTypeReferenceId="')
    local found = ask("textDocument/completion", place())
    for _, one in ipairs(found.items or found) do
      if one.label == demo.claim then return end
    end
    error(demo.claim .. " is missing")
  end)

  check("definition leads to the claim type", function()
    open(demo.page)
    go('"' .. demo.claim .. '"', 2)
    local found = ask("textDocument/definition", place())
    local first = found[1] or found
    vim.lsp.util.jump_to_location(first, vim.lsp.get_client_by_id(client).offset_encoding)
    local line = vim.api.nvim_get_current_line()
    assert(line:find('<ClaimType Id="' .. demo.claim, 1, true), line)
  end)

  check("a rename changes three files", function()
    open(demo.page)
    go('"' .. demo.claim .. '"', 2)
    local params = place()
    params.newName = "renamedClaim"
    vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", params), vim.lsp.get_client_by_id(client).offset_encoding)
    local changed = 0
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
      if text:find('"renamedClaim"', 1, true) then changed = changed + 1 end
      assert(not text:find('ClaimTypeReferenceId="' .. demo.claim .. '"', 1, true), vim.api.nvim_buf_get_name(buffer))
    end
    assert(changed >= 3, changed .. " files")
  end)

  check("a lens leads to a trace with a token", function()
    -- Files that are not open in a window are known to the server as they are on the disk.
    vim.cmd("silent wall")
    open(demo.page)
    local params, lens = { textDocument = vim.lsp.util.make_text_document_params(0) }, nil
    for _, one in ipairs(ask("textDocument/codeLens", params)) do
      if not one.command then one = ask("codeLens/resolve", one) end
      if one.command.title:find("^Trace as ") then lens = one end
    end
    assert(lens, "no lens")
    local report = ask("workspace/executeCommand", { command = lens.command.command, arguments = lens.command.arguments })
    assert(report.text:find("SendClaims ran", 1, true) and not report.text:find("no token:", 1, true), report.text)
  end)

  check("symbols of the file and of the folder", function()
    assert(#ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params(0) }) > 0, "none in the file")
    assert(#ask("workspace/symbol", { query = "renamedClaim" }) > 0, "none in the folder")
  end)

  check("the server ends with the editor", function()
    vim.lsp.stop_client(client)
    wait("the end", function() return not vim.lsp.get_client_by_id(client) end)
  end)

  check("a server that ended is started again with the next text", function()
    local ended = client
    vim.cmd("edit!")
    open(demo.page)
    assert(client ~= ended, "the server that ended")
  end)
end

-- A policy with a finding beside its line, and below it the hover of a merged technical profile.
local function picture()
  vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.background = true, true, "yes", "light"
  vim.o.laststatus, vim.o.wrap, vim.o.cursorline, vim.o.swapfile, vim.o.ruler = 2, false, true, false, false
  vim.cmd("filetype on | syntax on | colorscheme " .. (pcall(vim.cmd, "colorscheme shine") and "shine" or "default"))
  for group, colors in pairs({
    Normal = "guifg=#24292f guibg=#ffffff", NormalFloat = "guifg=#24292f guibg=#eef3fa", FloatBorder = "guifg=#7a8aa0 guibg=#eef3fa",
    DiagnosticError = "guifg=#b3261e", DiagnosticVirtualTextError = "guifg=#b3261e guibg=#fdecea", CursorLine = "guibg=#f4f6f8",
    DiagnosticUnderlineError = "guisp=#b3261e gui=underline", LineNr = "guifg=#98a2ad", SignColumn = "guibg=#ffffff",
    StatusLine = "guifg=#24292f guibg=#dfe5ec gui=none", EndOfBuffer = "guifg=#ffffff", Comment = "guifg=#6a7480",
    xmlTagName = "guifg=#0b5394", xmlTag = "guifg=#0b5394", xmlEndTag = "guifg=#0b5394", xmlAttrib = "guifg=#7a3e00", xmlString = "guifg=#1e6b34",
    String = "guifg=#1e6b34", Identifier = "guifg=#0b5394",
  }) do
    vim.cmd("highlight " .. group .. " " .. colors)
  end
  vim.diagnostic.config({ virtual_text = { prefix = "", spacing = 1, format = function(one) return one.message:sub(1, 62) .. "…" end }, severity_sort = true, update_in_insert = true })
  start(demo.root)
  open(demo.edited)
  if vim.fn.search("</InputClaims>", "w") > 0 then
    local indent = (" "):rep(vim.fn.indent("."))
    vim.fn.append(".", {
      indent .. "<OutputClaims>", indent .. '  <OutputClaim ClaimTypeReferenceId="' .. demo.claim:sub(1, -2) .. '" />', indent .. "</OutputClaims>",
    })
  else
    plant()
  end
  local line = wait("the finding", hit).lnum + 1
  go('Id="' .. demo.profile .. '"', 6)
  vim.fn.winrestview({ topline = math.max(1, vim.fn.line(".") - 5) })
  vim.lsp.buf_request(0, "textDocument/hover", place(), vim.lsp.with(vim.lsp.handlers.hover, {
    border = "rounded", max_width = 110, max_height = 16, offset_x = 6, offset_y = math.max(0, line + 2 - vim.fn.line(".")),
  }))
  vim.defer_fn(function()
    vim.cmd("redraw!")
    io.open(vim.env.READY, "w"):close()
  end, 1500)
end

if vim.env.PICTURE then
  picture()
else
  local fine, why = pcall(demonstration)
  say(fine and "ok end" or "not ok start: " .. tostring(why))
  vim.cmd("qall!")
end
